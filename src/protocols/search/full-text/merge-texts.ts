import type { Db } from '../../../engine/db.ts';
import { eachEngine, sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { optional, output } from '../../../procedure/param.ts';
import { bigint, bit } from '../../../tds/types/index.ts';

/** Roughly how many pages of the index one call writes: others wait for it on SQLite. */
const pagesOfStep = 200;

export const mergeTexts = procedure({
  name: 'MergeTexts',
  schema: 'granary',
  section: 'Granary',
  summary: 'Merges a part of the index of granary.Find, as a master merge does; to be called until nothing is left.',
  access: 'write',
  params: {
    IsFirst: optional(bit, true, 'True with the first call of a merge, which takes in all parts of the index.'),
    IsMerged: output(bit, 'Set to 1 when the index is one part.'),
  },
  outcomes: { done: { code: 0, meaning: 'A step was done.' } },
  async handle({ db }, { IsFirst }) {
    const before = await changes(db);
    await db.run(sql`${eachEngine({ sqlite: mergeSegments(IsFirst !== false), postgres: mergePendingList })}`);
    // FTS5 has nothing left to merge if only the command itself changed rows.
    return { outcome: 'done', output: { IsMerged: (await changes(db)) - before < 2n } };
  },
});

const mergePendingList = sql`select gin_clean_pending_list('doc_words_by_word'::regclass)`;

/** A negative number makes FTS5 merge segments of all levels; a positive one continues. */
const mergeSegments = (isFirst: boolean) =>
  sql`insert into doc_words (doc_words, rank) values ('merge', ${isFirst ? -pagesOfStep : pagesOfStep})`;

/** The number of rows that the connection has changed so far; PostgreSQL merges all in one step. */
async function changes(db: Db): Promise<bigint> {
  const row = await db.first(
    { n: bigint },
    sql`select ${eachEngine({ sqlite: sql`total_changes()`, postgres: sql`0` })} as "n"`,
  );
  return row?.n ?? 0n;
}
