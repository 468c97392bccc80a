import type { ConsoleRole } from './answer.ts';
import type { ConsoleServer } from './console-server.ts';

/** What a login may do in the console, looked up each time, since it may change; undefined for one that is gone. */
export async function roleOf({ accounts }: ConsoleServer, login: string): Promise<ConsoleRole | undefined> {
  const standing = await accounts.standing(login);
  if (standing === undefined || standing.isAdministrator) return standing && 'admin';
  // Who administers one database is no admin of the server; what it may there, the server itself decides.
  return standing.strongest === undefined || standing.strongest === 'reader' ? 'reader' : 'writer';
}
