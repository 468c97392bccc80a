import { createHash } from 'node:crypto';
import { fold } from '../base/text/collation.ts';
import { sidBytes } from '../base/windows-sid.ts';
import { objectId } from './describe.ts';
import type { LoginEntry } from './server-view.ts';

const administrator = 'sa';

/** The sid of sa, on every SQL Server. */
export const administratorSid: Uint8Array = Uint8Array.of(1);

/** A login's security identifier: 16 bytes that depend on its name alone. */
export function sidOf(login: string): Uint8Array {
  const name = fold(login);
  if (name === administrator) return administratorSid;
  return new Uint8Array(createHash('sha256').update(`login ${name}`).digest().subarray(0, 16));
}

/** The security identifier of a login: a Windows group's own if known, otherwise one derived from the name. */
export const sidOfLogin = ({ name, sid }: Pick<LoginEntry, 'name' | 'sid'>): Uint8Array =>
  sid === null ? sidOf(name) : sidBytes(sid);

/** A login's number: 1 for sa, else one that depends on its name alone. */
export const principalIdOf = (login: string): number => (fold(login) === administrator ? 1 : objectId('login', login));
