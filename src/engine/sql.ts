import type { Bindable } from '../base/stored.ts';

/** A fragment that the engines render differently. */
export interface Fragment {
  readonly fragment: 'list' | 'table';
  /** Column names and kinds of a `table`; one column named `value` for a `list`. */
  readonly columns: Readonly<Record<string, 'bigint' | 'text'>>;
  readonly rows: readonly (readonly Bindable[])[];
}

/** A piece that differs between the engines: each has its own. */
export interface EachEngine {
  readonly sqlite: Sql;
  readonly postgres: Sql;
}

/** A placeholder for a value that is supplied when the statement runs, by its number. */
export class Hole {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }
}

/** What can be interpolated into a statement. */
export type Piece = Bindable | Sql | Fragment | EachEngine | Hole;

/** A statement: the constant parts of its text and the pieces between them. */
export interface Sql {
  /** The same object at every evaluation of one call site, so it is the key of the prepared statement. */
  readonly strings: readonly string[];
  readonly values: readonly Piece[];
}

/** The template tag for statements: values are always bound, never spliced in. `sql` pieces can be nested. */
export function sql(strings: TemplateStringsArray, ...values: readonly Piece[]): Sql {
  return { strings, values };
}

/** A piece that differs between the engines, for example because one index needs different syntax. */
export const eachEngine = (pieces: EachEngine): EachEngine => pieces;

/**
 * A join that looks up the rows of a table by index for each row of the other side. PostgreSQL would otherwise keep a
 * plan that reads the whole table, made while the table was small.
 */
export function lookedUp(others: Sql, table: Sql, alias: Sql, on: Sql): EachEngine {
  return eachEngine({
    sqlite: sql`${others} join ${table} ${alias} on ${on}`,
    postgres: sql`${others} cross join lateral (select * from ${table} ${alias} where ${on} offset 0) ${alias}`,
  });
}

/** An expression that fails on PostgreSQL unless a condition holds, for the statement of `Db.last`. */
export const demanded = (condition: Sql): Sql => sql`1 / case when ${condition} then 1 else 0 end`;

/**
 * An identifier as a piece of SQL: `identifier('j', 'job_id')` is `"j"."job_id"`. Created once, where it is declared.
 */
export function identifier(...parts: readonly string[]): Sql {
  return { strings: [parts.map(quoted).join('.')], values: [] };
}

/** An identifier in the quotes that both engines accept. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A list of values for `in`: `where id in ${list('bigint', ids)}`. */
export function list(kind: 'bigint' | 'text', values: readonly Bindable[]): Fragment {
  return { fragment: 'list', columns: { value: kind }, rows: values.map((value) => [value]) };
}

/**
 * Rows to join with: `update items set … from ${table({ job: 'bigint', worker: 'text' }, rows)} t where …` (the alias
 * is yours).
 */
export function table(
  columns: Readonly<Record<string, 'bigint' | 'text'>>,
  rows: readonly (readonly Bindable[])[],
): Fragment {
  return { fragment: 'table', columns, rows };
}

/**
 * A statement with holes and without nested pieces, so that it can be filled repeatedly and is identified by its text.
 */
export function flattened({ strings, values }: Sql): Sql {
  const flat: { strings: string[]; values: Piece[] } = { strings: [strings[0] ?? ''], values: [] };
  const append = (text: string): void => {
    flat.strings.push((flat.strings.pop() ?? '') + text);
  };
  values.forEach((value, at) => {
    if (typeof value === 'object' && value !== null && 'strings' in value) {
      const inner = flattened(value);
      append(inner.strings[0] ?? '');
      flat.strings.push(...inner.strings.slice(1));
      flat.values.push(...inner.values);
    } else {
      flat.values.push(isEachEngine(value) ? lazily(value, flattened) : value);
      flat.strings.push('');
    }
    append(strings[at + 1] ?? '');
  });
  return flat;
}

/** A statement with values filled into its holes. */
export function filled({ strings, values }: Sql, known: readonly Bindable[]): Sql {
  const fill = (piece: Piece): Piece => {
    if (piece instanceof Hole) return known[piece.at] ?? null;
    return isEachEngine(piece) ? lazily(piece, (each) => filled(each, known)) : piece;
  };
  return { strings, values: values.map(fill) };
}

const isEachEngine = (piece: Piece): piece is EachEngine =>
  typeof piece === 'object' && piece !== null && 'sqlite' in piece;

/** Transforms the pieces of an engine when that engine asks for them, once. */
function lazily(piece: EachEngine, change: (each: Sql) => Sql): EachEngine {
  let [sqlite, postgres]: (Sql | undefined)[] = [];
  return {
    get sqlite() {
      sqlite ??= change(piece.sqlite);
      return sqlite;
    },
    get postgres() {
      postgres ??= change(piece.postgres);
      return postgres;
    },
  };
}
