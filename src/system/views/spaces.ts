import { fold } from '../../base/collation.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import { bit, char, datetime, int, nvarchar, uniqueidentifier } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';
import { databaseRoles, principalIdOf, usersOf } from '../principals.ts';
import { constant, view } from './view.ts';

const space = constant({
  name: [sysname, 'PRIMARY'],
  data_space_id: [int, 1],
  type: [char(2), 'FG'],
  type_desc: [orNull(nvarchar(60)), 'ROWS_FILEGROUP'],
  is_default: [orNull(bit), true],
  is_system: [orNull(bit), false],
});

/** Where a database has its rows: the one filegroup that every database of SQL Server has. */
export const sysDataSpaces = view('sys', 'data_spaces', space.columns, () => [space.values]);

const group = constant({
  filegroup_guid: [orNull(uniqueidentifier), null],
  log_filegroup_id: [orNull(int), null],
  is_read_only: [orNull(bit), false],
  is_autogrow_all_files: [orNull(bit), false],
});

/** The same, as a filegroup. */
export const sysFilegroups = view('sys', 'filegroups', { ...space.columns, ...group.columns }, () => [
  { ...space.values, ...group.values },
]);

const serverFacts = constant({
  product: [sysname, 'SQL Server'],
  provider: [sysname, 'SQLNCLI'],
  data_source: [orNull(nvarchar(4000)), null],
  location: [orNull(nvarchar(4000)), null],
  provider_string: [orNull(nvarchar(4000)), null],
  catalog: [orNull(sysname), null],
  connect_timeout: [orNull(int), 0],
  query_timeout: [orNull(int), 0],
  is_linked: [bit, false],
  is_remote_login_enabled: [bit, true],
  is_rpc_out_enabled: [bit, true],
  is_data_access_enabled: [bit, false],
  is_collation_compatible: [bit, false],
  uses_remote_collation: [bit, true],
  collation_name: [orNull(sysname), null],
  lazy_schema_validation: [bit, false],
  is_system: [bit, false],
  is_publisher: [bit, false],
  is_subscriber: [orNull(bit), false],
  is_distributor: [orNull(bit), false],
  is_nonsql_subscriber: [orNull(bit), false],
  is_remote_proc_transaction_promotion_enabled: [orNull(bit), false],
  modify_date: [datetime, new Date(0)],
  is_rda_server: [orNull(bit), false],
});

/** The servers that this one knows: itself. */
export const sysServers = view(
  'sys',
  'servers',
  { server_id: int, name: sysname, ...serverFacts.columns } satisfies Columns,
  ({ server }) => [
    { server_id: 0, name: server.name, ...serverFacts.values, data_source: server.name, modify_date: server.started },
  ],
);

const roleNames: Readonly<Record<string, readonly string[]>> = {
  admin: ['db_owner'],
  reader: ['db_datareader'],
  writer: ['db_datareader', 'db_datawriter'],
};

const idOfRole = (wanted: string): number | undefined => databaseRoles.find(({ name }) => name === wanted)?.id;

/** Who is in which role of the database. */
export const sysDatabaseRoleMembers = view(
  'sys',
  'database_role_members',
  { role_principal_id: int, member_principal_id: int } satisfies Columns,
  async (call) => {
    const isHere = (database: string) => database === '*' || fold(database) === fold(call.database);
    const members = (await usersOf(call)).flatMap(({ name, roles }) => {
      const names = roles.filter(({ database }) => isHere(database)).flatMap(({ role }) => roleNames[role] ?? []);
      return [...new Set(names)].map((role) => ({ role: idOfRole(role), member: principalIdOf(name) }));
    });
    return [{ role: idOfRole('db_owner'), member: 1 }, ...members].flatMap(({ role, member }) =>
      role === undefined ? [] : [{ role_principal_id: role, member_principal_id: member }],
    );
  },
);

/** Who is in which role of the server: its administrators are those of every database. */
export const sysServerRoleMembers = view(
  'sys',
  'server_role_members',
  { role_principal_id: int, member_principal_id: int } satisfies Columns,
  async ({ server }) =>
    (await server.logins())
      .filter(({ roles }) => roles.some(({ database, role }) => database === '*' && role === 'admin'))
      .map(({ name }) => ({ role_principal_id: 3, member_principal_id: principalIdOf(name) })),
);
