import { randomUUID } from 'node:crypto';
import { byName } from '../../base/by-name.ts';
import { fold } from '../../base/text/collation.ts';
import { familyOf } from '../../tds/convert/families.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType, TypedValue } from '../../tds/types/sql-type.ts';
import { fillMessage } from '../../values/format-message.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { seeingNulls, simple } from './define.ts';
import { fixedPrincipals } from './fixed-principals.ts';

const name = t.nvarchar(128);

/** A fact of the session. */
const fact = (type: AnyType, value: (context: Context) => unknown): FunctionSpec =>
  seeingNulls('any?', type, (_, context) => value(context));

const login = fact(name, ({ frame }) => frame.host.identity.login);
const user = fact(name, ({ frame }) => frame.host.identity.user);

function variantProperty(value: unknown, type: AnyType, property: string): TypedValue | null {
  // A value that is no variant is taken as if it were one.
  const inner: TypedValue = familyOf(type.name) === 'variant' ? (value as TypedValue) : { type, value };
  const { precision, scale, maxLength, collation } = inner.type;
  const isText = familyOf(inner.type.name) === 'text';
  const known: Readonly<Record<string, string | number | null>> = byName({
    basetype: inner.type.name,
    precision,
    scale,
    maxlength: maxLength,
    totalbytes: maxLength + 2,
    collation: isText ? (collation?.name ?? 'Latin1_General_CI_AS_KS_WS') : null,
  });
  const found = known[property.toLowerCase()] ?? null;
  return found === null ? null : { type: typeof found === 'string' ? name : t.int, value: found };
}

function connectionProperty({ frame }: Context, property: string): TypedValue | null {
  const { clientAddress, serverAddress, port } = frame.host.connection;
  const text = (value: string): TypedValue => ({ type: name, value });
  const known: Readonly<Record<string, TypedValue>> = byName({
    net_transport: text('TCP'),
    protocol_type: text('TSQL'),
    auth_scheme: text(frame.host.identity.authentication),
    local_net_address: text(serverAddress),
    local_tcp_port: { type: t.int, value: port },
    client_net_address: text(clientAddress),
    physical_net_transport: text('TCP'),
  });
  return known[property.toLowerCase()] ?? null;
}

const serverRoles = new Set([
  'sysadmin',
  'serveradmin',
  'securityadmin',
  'processadmin',
  'setupadmin',
  'bulkadmin',
  'diskadmin',
  'dbcreator',
  'public',
]);
const databaseRoles = new Set(
  Object.keys(fixedPrincipals).filter((name) => name === 'public' || /^db_(?!deny)/.test(name)),
);

function inRole({ frame }: Context, role: string, roles: ReadonlySet<string>): number | null {
  const wanted = role.toLowerCase();
  if (!roles.has(wanted)) return null;
  return frame.host.identity.isAdministrator || wanted === 'public' ? 1 : 0;
}

/** The functions about the session, its connection and its messages. */
export const systemFunctions: Readonly<Record<string, FunctionSpec>> = {
  NEWID: simple('', t.uniqueidentifier, () => randomUUID()),
  NEWSEQUENTIALID: simple('', t.uniqueidentifier, () => randomUUID()),
  HOST_NAME: fact(name, ({ frame }) => frame.host.identity.host),
  APP_NAME: fact(name, ({ frame }) => frame.host.identity.program),
  SYSTEM_USER: login,
  ORIGINAL_LOGIN: login,
  USER_NAME: user,
  CURRENT_USER: user,
  SESSION_USER: user,
  USER: user,
  USER_ID: fact(t.int, () => 1),
  HOST_ID: fact(t.char(10), ({ frame }) => String(frame.host.identity.processId).padEnd(10)),
  SERVERPROPERTY: simple('name', t.sqlVariant, ([property], { frame }) =>
    variantOrNull(frame.host.serverProperty(String(property))),
  ),
  CONNECTIONPROPERTY: simple('name', t.sqlVariant, ([property], context) =>
    connectionProperty(context, String(property)),
  ),
  SQL_VARIANT_PROPERTY: simple('any, name', t.sqlVariant, ([value, property], _, [type]) =>
    variantProperty(value, type ?? t.int, String(property)),
  ),
  IS_SRVROLEMEMBER: simple('name, name?', t.int, ([role], context) => inRole(context, String(role), serverRoles)),
  IS_MEMBER: simple('name', t.int, ([role], context) => inRole(context, String(role), databaseRoles)),
  IS_ROLEMEMBER: simple('name, name?', t.int, ([role], context) => inRole(context, String(role), databaseRoles)),
  SESSION_CONTEXT: simple(
    'name',
    t.sqlVariant,
    ([key], { frame }) => frame.host.state.context.get(fold(String(key)))?.value ?? null,
  ),
  CONTEXT_INFO: fact(t.varbinary(128), ({ frame }) => frame.host.state.contextInfo),
  XACT_STATE: fact(t.smallint, ({ frame }) => frame.host.transactions.state),
  SCOPE_IDENTITY: fact(t.numeric(38, 0), ({ frame }) =>
    frame.host.state.identity === null ? null : { unscaled: frame.host.state.identity, scale: 0 },
  ),
  ROWCOUNT_BIG: fact(t.bigint, ({ frame }) => BigInt(frame.host.state.rowCount)),
  FORMATMESSAGE: seeingNulls('any, any?...', t.nvarchar(2048), ([text, ...args], _, [, ...types]) =>
    text === null
      ? null
      : fillMessage(
          String(text),
          args.map((value, index) => ({ type: types[index] ?? t.int, value })),
        ),
  ),
};

/** A property whose value is NULL is NULL itself, not a variant with nothing in it. */
const variantOrNull = (value: TypedValue | undefined): TypedValue | null =>
  value === undefined || value.value === null ? null : value;
