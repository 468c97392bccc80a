import { messages } from '../../base/messages/messages.ts';
import { fold } from '../../base/text/collation.ts';
import type { LoginEntry } from '../../procedure/server-view.ts';
import { administratorSid, principalIdOf, sidOfLogin } from '../../procedure/sid.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { int } from '../../tds/types/index.ts';
import { created } from '../catalog.ts';
import { configurations } from '../configurations.ts';
import { collation } from '../names.ts';
import { databaseRoles, loginKinds, rolesHere, serverRoles, usersOf } from '../principals.ts';
import { compatibilityLevel } from '../version.ts';
import type { Given, RowsByView } from './rows.ts';

const variant = (value: number) => ({ type: int, value });

const databases = async ({ server }: SystemCall): Promise<Given[]> =>
  (await server.databases()).map(({ name, id, created: create_date, isSuspect }) => ({
    name,
    database_id: id,
    owner_sid: administratorSid,
    create_date,
    compatibility_level: compatibilityLevel(server.version),
    collation_name: collation,
    physical_database_name: name,
    ...(isSuspect ? { state: 4, state_desc: 'SUSPECT' } : {}),
  }));

/** Bytes of a page of SQL Server. */
const pageBytes = 8192;

/** A file for rows and one for the log, as SQL Server has at least. */
async function files({ server }: SystemCall, wanted?: string): Promise<Given[]> {
  const sizes = new Map((await server.sizes()).map((size) => [fold(size.name), size]));
  const listed = (await server.databases()).filter(({ name }) => wanted === undefined || fold(name) === fold(wanted));
  return listed.flatMap(({ name, id: database_id }) => {
    const { bytes = 0, logBytes = 0 } = sizes.get(fold(name)) ?? {};
    const size = (of: number) => Math.ceil(of / pageBytes);
    const rows = { file_id: 1, type: 0, type_desc: 'ROWS', data_space_id: 1, size: size(bytes - logBytes) };
    const log = { file_id: 2, type: 1, type_desc: 'LOG', data_space_id: 0, size: size(logBytes) };
    return [
      { database_id, ...rows, name, physical_name: `${name}.mdf` },
      { database_id, ...log, name: `${name}_log`, physical_name: `${name}_log.ldf` },
    ];
  });
}

const serverPrincipals = async ({ server }: SystemCall): Promise<Given[]> => [
  ...(await server.logins()).map((login) => ({
    name: login.name,
    principal_id: principalIdOf(login.name),
    sid: sidOfLogin(login),
    type: loginKinds[login.kind].type,
    type_desc: loginKinds[login.kind].login,
    create_date: login.created,
    modify_date: login.created,
    default_database_name: 'master',
    default_language_name: 'us_english',
    is_fixed_role: false,
  })),
  ...serverRoles.map((name, at) => ({
    name,
    principal_id: at + 2,
    sid: Uint8Array.of(at + 2),
    type: 'R',
    type_desc: 'SERVER_ROLE',
    create_date: server.started,
    modify_date: server.started,
    owning_principal_id: 1,
    is_fixed_role: name !== 'public',
  })),
];

const databaseRole = (name: string, id: number, since: Date, isFixed: boolean): Given => ({
  name,
  principal_id: id,
  type: 'R',
  type_desc: 'DATABASE_ROLE',
  create_date: since,
  modify_date: since,
  owning_principal_id: 1,
  is_fixed_role: isFixed,
  authentication_type: 0,
  authentication_type_desc: 'NONE',
});

interface User {
  readonly name: string;
  readonly id: number;
  readonly sid?: Uint8Array;
  readonly schema?: string;
  readonly since: Date;
  /** The kind of its login. */
  readonly login?: LoginEntry['kind'];
}

const databaseUser = ({ name, id, sid, schema, since, login }: User): Given => ({
  name,
  principal_id: id,
  type: loginKinds[login ?? 'sql'].type,
  type_desc: loginKinds[login ?? 'sql'].user,
  default_schema_name: schema,
  create_date: since,
  modify_date: since,
  sid,
  is_fixed_role: false,
  authentication_type: login ? loginKinds[login].authentication.id : 0,
  authentication_type_desc: login ? loginKinds[login].authentication.name : 'NONE',
});

async function databasePrincipals(call: SystemCall): Promise<Given[]> {
  const since = await created(call);
  return [
    databaseRole('public', 0, since, false),
    databaseUser({ name: 'dbo', id: 1, sid: administratorSid, schema: 'dbo', since, login: 'sql' }),
    databaseUser({ name: 'guest', id: 2, sid: Uint8Array.of(0), schema: 'guest', since }),
    databaseUser({ name: 'INFORMATION_SCHEMA', id: 3, since }),
    databaseUser({ name: 'sys', id: 4, since }),
    ...databaseRoles.map(({ name, id }) => databaseRole(name, id, since, true)),
    ...(await usersOf(call)).map((user) =>
      databaseUser({
        name: user.name,
        id: principalIdOf(user.name),
        sid: sidOfLogin(user),
        schema: 'dbo',
        since: user.created,
        login: user.kind,
      }),
    ),
  ];
}

async function databaseRoleMembers(call: SystemCall): Promise<Given[]> {
  const members = (await usersOf(call)).flatMap(({ name, roles }) =>
    rolesHere(call, roles).map((role) => ({ role_principal_id: role, member_principal_id: principalIdOf(name) })),
  );
  const [owner] = databaseRoles;
  return [{ role_principal_id: owner.id, member_principal_id: 1 }, ...members];
}

const sysadmin = 3;

/** The views of databases, logins, users and roles. */
export const serverRows: RowsByView = {
  'sys.databases': databases,
  // SQL Server shows a file to those who may make or alter any database; what is of one's own is in sys.database_files.
  'sys.master_files': (call) => (call.server.isPartial ? [] : files(call)),
  'sys.database_files': (call) => files(call, call.database),
  'sys.servers': ({ server }) => [{ name: server.name, data_source: server.name, modify_date: server.started }],
  'sys.configurations': () =>
    configurations.map(({ id, name, least, most, value, description, advanced }) => ({
      configuration_id: id,
      name,
      value: variant(value),
      minimum: variant(least),
      maximum: variant(most),
      value_in_use: variant(value),
      description,
      is_advanced: advanced,
    })),
  'sys.messages': () =>
    Object.entries(messages).map(([number, { severity, text }]) => ({ message_id: Number(number), severity, text })),
  'sys.endpoints': () => [
    {
      name: 'TSQL Default TCP',
      endpoint_id: 4,
      protocol: 2,
      protocol_desc: 'TCP',
      is_admin_endpoint: false,
    },
  ],
  'sys.server_principals': serverPrincipals,
  'sys.server_role_members': async ({ server }) =>
    (await server.logins())
      .filter(({ roles }) => roles.some(({ database, role }) => database === '*' && role === 'admin'))
      .map(({ name }) => ({ role_principal_id: sysadmin, member_principal_id: principalIdOf(name) })),
  'sys.database_principals': databasePrincipals,
  'sys.database_role_members': databaseRoleMembers,
};
