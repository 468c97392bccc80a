import { fold } from '../base/collation.ts';
import { objectId } from '../procedure/describe.ts';
import type { DatabaseEntry, LoginEntry } from '../procedure/server-view.ts';
import type { SystemCall } from '../procedure/system-call.ts';

const administrator = 'sa';

/** A login's number: 1 for sa, else one that depends on its name alone. */
export const principalIdOf = (login: string): number => (fold(login) === administrator ? 1 : objectId('login', login));

/** The roles that SQL Server has in every database and that have a meaning here. */
export const databaseRoles = [
  { name: 'db_owner', id: 16384 },
  { name: 'db_datareader', id: 16390 },
  { name: 'db_datawriter', id: 16391 },
] as const;

const everyDatabase = '*';

/** The logins that may use the database of a call, besides sa, which is its dbo. */
export async function usersOf({ server, database }: SystemCall): Promise<readonly LoginEntry[]> {
  const isHere = (name: string) => name === everyDatabase || fold(name) === fold(database);
  return (await server.logins()).filter(
    ({ name, roles }) => fold(name) !== administrator && roles.some((role) => isHere(role.database)),
  );
}

/** The databases that the login of a call may use: sa all of them, everybody those of the system. */
export async function usableDatabases({ server, login }: SystemCall): Promise<readonly DatabaseEntry[]> {
  const databases = await server.databases();
  if (fold(login) === administrator) return databases;
  const roles = (await server.logins()).find(({ name }) => fold(name) === fold(login))?.roles ?? [];
  const mayUse = (name: string) =>
    roles.some(({ database }) => database === everyDatabase || fold(database) === fold(name));
  return databases.filter(({ name, kind }) => kind === 'system' || mayUse(name));
}
