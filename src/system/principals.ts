import { fold } from '../base/text/collation.ts';
import type { DatabaseEntry, LoginEntry } from '../procedure/server-view.ts';
import type { SystemCall } from '../procedure/system-call.ts';

const administrator = 'sa';

/** How the catalog names the kinds of logins, and of the users that they are in a database. */
export const loginKinds = {
  sql: { type: 'S', login: 'SQL_LOGIN', user: 'SQL_USER', authentication: { id: 1, name: 'INSTANCE' } },
  user: { type: 'U', login: 'WINDOWS_LOGIN', user: 'WINDOWS_USER', authentication: { id: 3, name: 'WINDOWS' } },
  group: { type: 'G', login: 'WINDOWS_GROUP', user: 'WINDOWS_GROUP', authentication: { id: 3, name: 'WINDOWS' } },
} as const;

/** The roles that every database of SQL Server has; owners, readers and writers have a meaning here. */
export const databaseRoles = [
  { name: 'db_owner', id: 16384 },
  { name: 'db_accessadmin', id: 16385 },
  { name: 'db_securityadmin', id: 16386 },
  { name: 'db_ddladmin', id: 16387 },
  { name: 'db_backupoperator', id: 16389 },
  { name: 'db_datareader', id: 16390 },
  { name: 'db_datawriter', id: 16391 },
  { name: 'db_denydatareader', id: 16392 },
  { name: 'db_denydatawriter', id: 16393 },
] as const;

/** The roles of the server, numbered from 2 on; administrators are in sysadmin. */
export const serverRoles = [
  'public',
  'sysadmin',
  'securityadmin',
  'serveradmin',
  'setupadmin',
  'processadmin',
  'diskadmin',
  'dbcreator',
  'bulkadmin',
] as const;

const roleNames: Readonly<Record<string, readonly string[]>> = {
  admin: ['db_owner'],
  reader: ['db_datareader'],
  writer: ['db_datareader', 'db_datawriter'],
};

/** The numbers of the SQL Server roles that correspond to Granary's, on the database of a call. */
export function rolesHere({ database }: SystemCall, roles: LoginEntry['roles']): readonly number[] {
  const isHere = (name: string) => name === everyDatabase || fold(name) === fold(database);
  const names = roles.filter((role) => isHere(role.database)).flatMap(({ role }) => roleNames[role] ?? []);
  return databaseRoles.filter(({ name }) => names.includes(name)).map(({ id }) => id);
}

const everyDatabase = '*';

/** The logins that may use the database of a call, besides sa, which is its dbo. */
export async function usersOf({ server, database }: SystemCall): Promise<readonly LoginEntry[]> {
  const isHere = (name: string) => name === everyDatabase || fold(name) === fold(database);
  return (await server.logins()).filter(
    ({ name, roles }) => fold(name) !== administrator && roles.some((role) => isHere(role.database)),
  );
}

/** The databases that the login of a call may use: sa all of them, everybody those of the system. */
export async function usableDatabases({ server, through }: SystemCall): Promise<readonly DatabaseEntry[]> {
  const databases = await server.databases();
  const logins = new Set(through.map(fold));
  if (logins.has(administrator)) return databases;
  const roles = (await server.logins()).filter(({ name }) => logins.has(fold(name))).flatMap((login) => login.roles);
  const mayUse = (name: string) =>
    roles.some(({ database }) => database === everyDatabase || fold(database) === fold(name));
  return databases.filter(({ name, kind }) => kind === 'system' || mayUse(name));
}
