import { createHash } from 'node:crypto';
import { fold } from '../base/collation.ts';

const administrator = 'sa';

/** The sid of sa, on every SQL Server. */
export const administratorSid: Uint8Array = Uint8Array.of(1);

/** A login's security identifier: 16 bytes that depend on its name alone. */
export function sidOf(login: string): Uint8Array {
  const name = fold(login);
  if (name === administrator) return administratorSid;
  return new Uint8Array(createHash('sha256').update(`login ${name}`).digest().subarray(0, 16));
}
