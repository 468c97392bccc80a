import { sqlError } from '../base/messages/sql-error.ts';
import { fold } from '../base/text/collation.ts';
import { like } from '../values/like.ts';

/** A test of a name, made from what a caller wrote. */
type NameTest = (name: string) => boolean;

/** Takes the quotes off a name: `[a]`, `"a"`. */
export function unquoted(text: string): string {
  const found = /^\s*(?:\[([^\]]*)\]|"([^"]*)")\s*$/.exec(text);
  return found ? (found[1] ?? found[2] ?? '') : text;
}

/** A test from an argument of a catalog procedure: NULL matches everything. */
export function nameTest(argument: string | null, usePattern: boolean | null): NameTest {
  if (argument === null) return () => true;
  const wanted = unquoted(argument);
  if (usePattern === false) return (name) => fold(name) === fold(wanted);
  return (name) => like(fold(name), fold(wanted));
}

/** Procedures of SQL Server have numbers; ours are all ;1, which a caller may include. */
export const unnumbered = (name: string | null): string | null => name?.replace(/;1\s*$/, '') ?? null;

/** The database that a caller names must be the one it is in. */
export function checkQualifier(qualifier: string | null, database: string): void {
  if (qualifier === null || qualifier === '') return;
  if (fold(unquoted(qualifier)) !== fold(database)) throw sqlError(15250);
}
