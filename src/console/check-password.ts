import { timingSafeEqual } from 'node:crypto';
import { ntHash } from '../accounts/nt-hash.ts';
import type { ConsoleServer } from './console-server.ts';

/**
 * The user with this password; undefined if it is wrong. Of Windows users (DOMAIN\name), only those with an account on
 * the server can be checked.
 */
export async function whoHas(
  { accounts }: Pick<ConsoleServer, 'accounts'>,
  name: string,
  password: string,
  address: string,
): Promise<{ readonly login: string; readonly mustChangePassword: boolean } | undefined> {
  if (!name.includes('\\')) return accounts.verify(name, password, address);
  const hash = ntHash(password);
  const proven = await accounts.windows.prove(name, address, (kept) => timingSafeEqual(kept, hash));
  return proven && { login: proven.login, mustChangePassword: false };
}
