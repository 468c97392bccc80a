import { createHash } from 'node:crypto';
import { ruleBroken } from '../base/messages/sql-error.ts';
import { checkedText } from './bind.ts';

/** The maximum length of a database name, that of SQL Server's sysname. */
const longest = 128;

/** Stands for all databases where roles are granted, so no database may have this name. */
export const everyDatabase = '*';

/** The databases that every SQL Server has and drivers ask for, in the order of their ids. Their names are reserved. */
export const systemDatabases = ['master', 'tempdb', 'model', 'msdb'] as const;

/** The name of Granary's own database in the log and in figures. */
export const ownName = 'granary';

/** The databases that are not in the list. */
export const ownDatabases: readonly string[] = [...systemDatabases, ownName];

/** The system database of this name, if there is one. */
export const systemName = (name: string): (typeof systemDatabases)[number] | undefined =>
  systemDatabases.find((system) => system === foldedName(name));

/** The form of a database name that is used for comparisons. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Throws if a database may not have this name. */
export function checkedName(name: string): string {
  if (name.length === 0 || name.length > longest) {
    throw ruleBroken(`The name of a database must have 1 to ${longest} characters, not ${name.length}.`);
  }
  if (name === everyDatabase) throw ruleBroken(`A database cannot be called ${name}, which means all databases.`);
  return checkedText(name);
}

/** The temporary name of a database that is to replace another. */
export const standInName = (name: string): string =>
  `${name.slice(0, longest - 20).toWellFormed()} (to take its place)`;

/**
 * A name that is valid for a file and for a schema, and still tells a person which database it is: every character
 * except small letters, digits, - and _ is dropped, and if that or the case changed anything, a hash of the whole name
 * keeps names distinct.
 */
export function safeName(name: string, room: number): string {
  const folded = foldedName(name);
  const plain = folded.replace(/[^a-z0-9_-]/g, '').replace(/^-+/, '');
  if (plain === folded && plain.length <= room) return plain;
  const hash = createHash('sha256').update(folded).digest('hex').slice(0, 10);
  return `${plain.slice(0, room - hash.length - 1)}-${hash}`;
}
