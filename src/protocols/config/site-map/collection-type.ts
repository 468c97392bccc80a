import { type Sql, sql } from '../../../engine/sql.ts';

/** Which references a @CollectionType selects, and how many of them a row of `site_ranks` counts. */
export interface CollectionType {
  /** True of a row of `site_map`; written so that the partial indexes serve it. */
  readonly selected: Sql;
  readonly counted: Sql;
}

/** By the value of @CollectionType (3.1.5.28). */
const collectionTypes: Readonly<Record<number, CollectionType>> = {
  0: { selected: sql`1 = 1`, counted: sql`sites` },
  1: { selected: sql`redirects = 1`, counted: sql`redirecting` },
  2: { selected: sql`redirects = 0`, counted: sql`(sites - redirecting)` },
  3: { selected: sql`upgraded = 1`, counted: sql`upgraded` },
};

/** The type of a value, or undefined for NULL and values that are not listed: they select nothing. */
export function collectionType(value: number | null): CollectionType | undefined {
  return value === null ? undefined : collectionTypes[value];
}
