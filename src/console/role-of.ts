import type { Vouched } from '../base/vouched.ts';
import type { ConsoleRole } from './answer.ts';
import type { ConsoleServer } from './console-server.ts';

/**
 * The role of a user in the console, looked up each time, since it may change; undefined if their logins no longer
 * exist.
 */
export async function roleOf(
  { accounts }: { readonly accounts: Pick<ConsoleServer['accounts'], 'standing'> },
  { through }: Vouched,
): Promise<ConsoleRole | undefined> {
  const standing = await accounts.standing(through);
  if (standing === undefined || standing.isAdministrator) return standing && 'admin';
  // Who administers one database is no admin of the server; what it may there, the server itself decides.
  return standing.strongest === 'admin' ? 'writer' : (standing.strongest ?? 'none');
}
