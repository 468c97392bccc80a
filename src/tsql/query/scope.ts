import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Scope } from '../evaluate/context.ts';
import type { PlanColumn } from './plan.ts';

/** One table of FROM as names see it. */
export interface NamedSource {
  /** Folded: the alias, or the table's own name. */
  readonly alias: string;
  readonly columns: readonly PlanColumn[];
  /** Present if a row has only the columns that are used: the slot of one. */
  slot?(column: number): number;
}

/** Where a name was found. */
interface ColumnPlace {
  readonly source: number;
  readonly column: number;
}

/** The columns of FROM, and after them those of the outer query. */
export class SelectScope implements Scope {
  readonly sources: readonly NamedSource[];
  readonly #outer: Scope | undefined;
  /** True once a column of the outer query was used. */
  correlated = false;
  #used = new Set<number>();
  readonly #columns: (ReadonlyMap<string, number> | undefined)[] = [];

  constructor(sources: readonly NamedSource[], outer: Scope | undefined) {
    this.sources = sources;
    this.#outer = outer;
  }

  /** The column of these sources that a name refers to; 209 if it is ambiguous. */
  find(parts: readonly string[]): ColumnPlace | undefined {
    const name = fold(parts.at(-1) ?? '');
    const qualifier = parts.length > 1 ? fold(parts.at(-2) ?? '') : undefined;
    let place: ColumnPlace | undefined;
    this.sources.forEach((candidate, source) => {
      if (qualifier !== undefined && candidate.alias !== qualifier) return;
      const column = this.#columnsOf(source).get(name);
      if (column === undefined) return;
      if (place !== undefined) throw sqlError(209, parts.at(-1) ?? '');
      place = { source, column };
    });
    return place;
  }

  /** The columns of a source by their folded names; of two with one name the first counts. */
  #columnsOf(source: number): ReadonlyMap<string, number> {
    let columns = this.#columns[source];
    if (columns === undefined) {
      columns = new Map(
        (this.sources[source]?.columns ?? []).map(({ name }, at): [string, number] => [fold(name), at]).reverse(),
      );
      this.#columns[source] = columns;
    }
    return columns;
  }

  column(parts: readonly string[]): Compiled {
    const place = this.find(parts);
    if (place === undefined) return this.#fromOutside(parts);
    this.#used.add(place.source);
    return this.at(place);
  }

  /** The column at a place. */
  at({ source, column }: ColumnPlace): Compiled {
    const from = this.sources[source];
    const found = from?.columns[column];
    if (found === undefined) throw new Error('a place is made from the sources themselves');
    const { type, nullable, name } = found;
    const slot = from?.slot?.(column) ?? column;
    return { type, nullable, name, evaluate: (env) => env.rows[source]?.[slot] ?? null };
  }

  #fromOutside(parts: readonly string[]): Compiled {
    if (this.#outer === undefined) throw notFound(parts);
    const found = this.#outer.column(parts);
    this.correlated = true;
    return { ...found, evaluate: (env) => found.evaluate(outerOf(env)) };
  }

  /** Compiles something and returns the sources that it uses. */
  tracking<T>(compile: () => T): { readonly result: T; readonly used: ReadonlySet<number> } {
    const before = this.#used;
    this.#used = new Set();
    try {
      const result = compile();
      return { result, used: this.#used };
    } finally {
      this.#used = new Set([...before, ...this.#used]);
    }
  }
}

function outerOf({ outer }: Env): Env {
  if (outer === undefined) throw new Error('a correlated query runs inside the query around it');
  return outer;
}

/** 4104 for a name with a table before it, 207 for a bare one. */
const notFound = (parts: readonly string[]) =>
  parts.length > 1 ? sqlError(4104, parts.join('.')) : sqlError(207, parts[0] ?? '');

/** Outside any query: no column is known. */
export const emptyScope: Scope = {
  column(parts) {
    throw notFound(parts);
  },
};
