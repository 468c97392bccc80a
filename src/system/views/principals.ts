import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import type { LoginEntry } from '../../procedure/server-view.ts';
import { administratorSid } from '../../procedure/sid.ts';
import { bit, char, datetime, int, nvarchar, varbinary } from '../../tds/types/index.ts';
import { created } from '../catalog.ts';
import { sysname } from '../names.ts';
import { databaseRoles, loginKinds, principalIdOf, sidOfLogin, usersOf } from '../principals.ts';
import { view } from './view.ts';

const serverColumns = {
  name: sysname,
  principal_id: int,
  sid: orNull(varbinary(85)),
  type: char(1),
  type_desc: orNull(nvarchar(60)),
  is_disabled: orNull(bit),
  create_date: datetime,
  modify_date: datetime,
  default_database_name: orNull(sysname),
  default_language_name: orNull(sysname),
  credential_id: orNull(int),
  owning_principal_id: orNull(int),
  is_fixed_role: bit,
} satisfies Columns;

const serverRole = (name: string, id: number, since: Date): Row<typeof serverColumns> => ({
  name,
  principal_id: id,
  sid: Uint8Array.of(id),
  type: 'R',
  type_desc: 'SERVER_ROLE',
  is_disabled: false,
  create_date: since,
  modify_date: since,
  default_database_name: null,
  default_language_name: null,
  credential_id: null,
  owning_principal_id: 1,
  is_fixed_role: name !== 'public',
});

/** The logins and roles of the server. */
export const sysServerPrincipals = view('sys', 'server_principals', serverColumns, async ({ server }) => {
  const logins = (await server.logins()).map((login) => ({
    name: login.name,
    principal_id: principalIdOf(login.name),
    sid: sidOfLogin(login),
    type: loginKinds[login.kind].type,
    type_desc: loginKinds[login.kind].login,
    is_disabled: false,
    create_date: login.created,
    modify_date: login.created,
    default_database_name: 'master',
    default_language_name: 'us_english',
    credential_id: null,
    owning_principal_id: null,
    is_fixed_role: false,
  }));
  return [...logins, serverRole('public', 2, server.started), serverRole('sysadmin', 3, server.started)];
});

const databaseColumns = {
  name: sysname,
  principal_id: int,
  type: char(1),
  type_desc: orNull(nvarchar(60)),
  default_schema_name: orNull(sysname),
  create_date: datetime,
  modify_date: datetime,
  owning_principal_id: orNull(int),
  sid: orNull(varbinary(85)),
  is_fixed_role: bit,
  authentication_type: int,
  authentication_type_desc: orNull(nvarchar(60)),
  default_language_name: orNull(sysname),
  default_language_lcid: orNull(int),
  allow_encrypted_value_modifications: bit,
} satisfies Columns;

/** A user or role of a database, before it has its dates. */
interface Principal {
  readonly name: string;
  readonly id: number;
  readonly role?: 'fixed' | 'public';
  readonly sid: Uint8Array | null;
  readonly schema: string | null;
  /** The kind of the login that it comes from. */
  readonly login?: LoginEntry['kind'];
}

const builtIn: readonly Principal[] = [
  { name: 'public', id: 0, role: 'public', sid: null, schema: null },
  { name: 'dbo', id: 1, sid: administratorSid, schema: 'dbo', login: 'sql' },
  { name: 'guest', id: 2, sid: Uint8Array.of(0), schema: 'guest' },
  { name: 'INFORMATION_SCHEMA', id: 3, sid: null, schema: null },
  { name: 'sys', id: 4, sid: null, schema: null },
  ...databaseRoles.map(({ name, id }) => ({ name, id, role: 'fixed' as const, sid: null, schema: null })),
];

const databaseRow = ({ name, id, role, sid, schema, login }: Principal, since: Date): Row<typeof databaseColumns> => ({
  name,
  principal_id: id,
  type: role ? 'R' : loginKinds[login ?? 'sql'].type,
  type_desc: role ? 'DATABASE_ROLE' : loginKinds[login ?? 'sql'].user,
  default_schema_name: schema,
  create_date: since,
  modify_date: since,
  owning_principal_id: role ? 1 : null,
  sid,
  is_fixed_role: role === 'fixed',
  authentication_type: login === undefined ? 0 : loginKinds[login].authentication.id,
  authentication_type_desc: login === undefined ? 'NONE' : loginKinds[login].authentication.name,
  default_language_name: null,
  default_language_lcid: null,
  allow_encrypted_value_modifications: false,
});

/** The users and roles of the database. */
export const sysDatabasePrincipals = view('sys', 'database_principals', databaseColumns, async (call) => {
  const since = await created(call);
  const users = (await usersOf(call)).map((user) =>
    databaseRow(
      { name: user.name, id: principalIdOf(user.name), sid: sidOfLogin(user), schema: 'dbo', login: user.kind },
      user.created,
    ),
  );
  return [...builtIn.map((principal) => databaseRow(principal, since)), ...users];
});
