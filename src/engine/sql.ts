import type { Bindable } from '../base/stored.ts';

/** A piece that the engines write differently: each renders its own text. */
export interface Fragment {
  readonly fragment: 'list' | 'table';
  /** Column names and kinds of a `table`; one column named `value` for a `list`. */
  readonly columns: Readonly<Record<string, 'bigint' | 'text'>>;
  readonly rows: readonly (readonly Bindable[])[];
}

/** What only one engine has words for: each has a piece of its own. */
export interface EachEngine {
  readonly sqlite: Sql;
  readonly postgres: Sql;
}

/** A statement: the constant pieces of its text, and what stands between them. */
export interface Sql {
  /** The same object at every evaluation of one call site, so it is the key of the prepared statement. */
  readonly strings: readonly string[];
  readonly values: readonly (Bindable | Sql | Fragment | EachEngine)[];
}

/** Makes a statement; values are always bound, never spliced. Other `sql` pieces may be nested. */
export function sql(strings: TemplateStringsArray, ...values: Sql['values']): Sql {
  return { strings, values };
}

/** A piece that the engines write in words of their own: where one index has another language than the other. */
export const eachEngine = (pieces: EachEngine): EachEngine => pieces;

/** A name of the engine's as a piece of SQL: `identifier('j', 'job_id')` is `"j"."job_id"`. Made once, where it is declared. */
export function identifier(...parts: readonly string[]): Sql {
  return { strings: [parts.map(quoted).join('.')], values: [] };
}

/** An identifier in the quotes that both engines read. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A list of values for `in`: `where id in ${list('bigint', ids)}`. */
export function list(kind: 'bigint' | 'text', values: readonly Bindable[]): Fragment {
  return { fragment: 'list', columns: { value: kind }, rows: values.map((value) => [value]) };
}

/** Rows to join with: `update items set … from ${table({ job: 'bigint', worker: 'text' }, rows)} t where …` (the alias is yours). */
export function table(
  columns: Readonly<Record<string, 'bigint' | 'text'>>,
  rows: readonly (readonly Bindable[])[],
): Fragment {
  return { fragment: 'table', columns, rows };
}
