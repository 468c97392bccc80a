import { createHash } from 'node:crypto';
import { ruleBroken } from '../base/sql-error.ts';
import { checkedText } from './bind.ts';

/** The most characters that the name of a database may have, as SQL Server's sysname. */
const longest = 128;

/** Where roles are given this means all databases, so none may be called that. */
export const everyDatabase = '*';

/**
 * The databases that every SQL Server has and drivers ask for, in the order of their numbers: no other has their
 * names.
 */
export const systemDatabases = ['master', 'tempdb', 'model', 'msdb'] as const;

/** What Granary's own database is called in the log and in figures. */
export const ownName = 'granary';

/** The databases that are not in the list. */
export const ownDatabases: readonly string[] = [...systemDatabases, ownName];

/** Which of those a name means, if one. */
export const systemName = (name: string): (typeof systemDatabases)[number] | undefined =>
  systemDatabases.find((system) => system === foldedName(name));

/** What two names of databases are compared by. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Refuses a name that no database may have. */
export function checkedName(name: string): string {
  if (name.length === 0 || name.length > longest) {
    throw ruleBroken(`The name of a database must have 1 to ${longest} characters, not ${name.length}.`);
  }
  if (name === everyDatabase) throw ruleBroken(`A database cannot be called ${name}, which means all databases.`);
  return checkedText(name);
}

/** What a database is called that is to take the place of another, until it does. */
export const standInName = (name: string): string =>
  `${name.slice(0, longest - 20).toWellFormed()} (to take its place)`;

/**
 * A name that is safe as a file and as a schema, and still tells a person which database it is: everything but small
 * letters, digits, - and _ is left out, and where that or the case changed anything a hash of the whole name keeps two databases apart.
 */
export function safeName(name: string, room: number): string {
  const folded = foldedName(name);
  const plain = folded.replace(/[^a-z0-9_-]/g, '').replace(/^-+/, '');
  if (plain === folded && plain.length <= room) return plain;
  const hash = createHash('sha256').update(folded).digest('hex').slice(0, 10);
  return `${plain.slice(0, room - hash.length - 1)}-${hash}`;
}
