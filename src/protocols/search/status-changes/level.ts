import { type Sql, sql } from '../../../engine/sql.ts';

/** Where the desired and the current pause reasons of a level are kept. */
interface Reasons {
  readonly desired: Sql;
  readonly current: Sql;
}

const levels: ReadonlyMap<number, Reasons> = new Map([
  [1, { desired: sql`dpr_master_merge`, current: sql`cpr_master_merge` }],
  [2, { desired: sql`dpr_crawls`, current: sql`cpr_crawls` }],
]);

/** The pause reasons of a level, or undefined when there is no such level. */
export const reasonsOf = (level: number | null): Reasons | undefined =>
  level === null ? undefined : levels.get(level);
