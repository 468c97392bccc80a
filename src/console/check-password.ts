import { timingSafeEqual } from 'node:crypto';
import { ntHash } from '../accounts/nt-hash.ts';
import type { ConsoleServer } from './console-server.ts';

/**
 * Whose password it is; undefined for a wrong one. Of Windows users (DOMAIN\name) the server knows those that it keeps
 * itself.
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
