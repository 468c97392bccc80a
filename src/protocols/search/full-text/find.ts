import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { Turn } from '../../../base/threads/turn.ts';
import type { Db } from '../../../engine/db.ts';
import { eachEngine, sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { optional, optionalOutput, required } from '../../../procedure/param.ts';
import { datetime, float, int, nvarchar } from '../../../tds/types/index.ts';
import { type Query, readQuery, toFts5, toTsquery } from './query.ts';
import { snippetOf } from './snippet.ts';

const mostRows = 1000;

/** A document that was found. */
const found = {
  Place: int,
  DocID: int,
  Rank: float,
  Title: nvarchar(2000),
  Url: nvarchar(4000),
  Snippet: nvarchar(4000),
  Indexed: orNull(datetime),
};

export const find = procedure({
  name: 'Find',
  schema: 'granary',
  section: 'Granary',
  summary: 'Finds crawled documents by words of their title, text and properties, the best first.',
  access: 'read',
  params: {
    Text: required(nvarchar(4000), 'Words, "phrases", -not, property:value, wor*.'),
    First: optional(int, 1, 'The place of the first document of the answer, from 1.'),
    Count: optional(int, 10, `How many documents, at most ${mostRows}.`),
    Total: optionalOutput(int, 'How many documents there are in all.'),
  },
  outcomes: { done: { code: 0, meaning: 'What was found, the best first.', sets: { Found: found } } },
  async handle({ db, signal }, { Text, First, Count }) {
    const first = First ?? 1;
    const count = Count ?? 10;
    if (first < 1 || count < 0 || count > mostRows) {
      throw ruleBroken(`@First begins at 1, and @Count is between 0 and ${mostRows}.`);
    }
    const query = readQuery(Text);
    if (query.all.length === 0) return { outcome: 'done', output: { Total: 0 }, sets: { Found: [] } };
    const total = await countOf(db, query);
    const rows = await ranked(db, query, first - 1, count);
    const turn = new Turn(signal);
    const sets = [];
    for (const [at, { Body, ...row }] of rows.entries()) {
      sets.push({ Place: first + at, ...row, Snippet: snippetOf(Body, query) });
      if (turn.isOver) await turn.giveWay();
    }
    return { outcome: 'done', output: { Total: total }, sets: { Found: sets } };
  },
});

const matches = (query: Query) =>
  eachEngine({
    sqlite: sql`doc_words match ${toFts5(query)}`,
    postgres: sql`w.words @@ ${toTsquery(query)}::tsquery`,
  });

async function countOf(db: Db, query: Query): Promise<number> {
  const row = await db.first({ count: int }, sql`select count(*) as "count" from ${words} where ${matches(query)}`);
  return row?.count ?? 0;
}

/** Titles weigh most, then properties, then the text; the greater the rank, the better. */
const rank = (query: Query) =>
  eachEngine({
    sqlite: sql`-bm25(doc_words, 10.0, 3.0, 1.0)`,
    postgres: sql`ts_rank('{0.1, 0.2, 0.3, 1.0}', w.words, ${toTsquery(query)}::tsquery, 1)::double precision`,
  });

const key = eachEngine({ sqlite: sql`doc_words.rowid`, postgres: sql`w.doc_id` });
const words = eachEngine({ sqlite: sql`doc_words`, postgres: sql`doc_words w` });

const ranked = (db: Db, query: Query, skip: number, count: number) =>
  db.all(
    {
      DocID: int,
      Rank: float,
      Title: nvarchar('max'),
      Url: nvarchar('max'),
      Body: nvarchar('max'),
      Indexed: datetime,
    },
    sql`
      select t.doc_id as "DocID", f.rank as "Rank", t.title as "Title", t.url as "Url", t.body as "Body",
        t.indexed as "Indexed"
      from (
        select ${key} as doc_id, ${rank(query)} as rank
        from ${words}
        where ${matches(query)}
        order by 2 desc, 1 limit ${count} offset ${skip}
      ) f join doc_texts t on t.doc_id = f.doc_id
      order by f.rank desc, t.doc_id`,
  );
