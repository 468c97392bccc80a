import { type Sql, sql } from '../../../engine/sql.ts';

/** Which references a @CollectionType selects, and how many of them a row of `site_ranks` counts. */
export interface CollectionType {
  /** True of a row of `site_map`; written so that the partial indexes serve it. */
  readonly selected: Sql;
  /** The number in a row of `site_ranks`. */
  readonly counted: Sql;
  /** The number among the rows of `site_map` under a condition, read from indexes alone. */
  countWhere(condition: Sql): Sql;
}

const count = (condition: Sql): Sql => sql`(select count(*) from site_map where ${condition})`;

const countOf =
  (kind: Sql) =>
  (condition: Sql): Sql =>
    count(sql`${condition} and ${kind}`);

/** By the value of @CollectionType (3.1.5.28). */
const collectionTypes: Readonly<Record<number, CollectionType>> = {
  0: { selected: sql`1 = 1`, counted: sql`sites`, countWhere: count },
  1: { selected: sql`redirects = 1`, counted: sql`redirecting`, countWhere: countOf(sql`redirects = 1`) },
  2: {
    selected: sql`redirects = 0`,
    counted: sql`(sites - redirecting)`,
    countWhere: (condition) => sql`(${count(condition)} - ${count(sql`${condition} and redirects = 1`)})`,
  },
  3: { selected: sql`upgraded = 1`, counted: sql`upgraded`, countWhere: countOf(sql`upgraded = 1`) },
};

/** The type of a value, or undefined for NULL and values that are not listed: they select nothing. */
export function collectionType(value: number | null): CollectionType | undefined {
  return value === null ? undefined : collectionTypes[value];
}
