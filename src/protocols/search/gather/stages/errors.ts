import { sql } from '../../../../engine/sql.ts';
import { stage } from '../../stage.ts';
import { number } from '../values.ts';

/** 153. */
export const tellDamage = stage({
  summary:
    'Returns how many documents depend on the reported errors: the most children of one, or how many this crawl has.',
  access: 'read',
  heeds: ['CrawlID'],
  sets: ['MiscOutputData'],
  async run({ db }, { CrawlID }) {
    const row = await db.first(
      { most: number, count: number },
      sql`
        select (select coalesce(max(children_count), 0) from reported_errors) as "most",
          (select count(*) from reported_errors where crawl_id = ${CrawlID}) as "count"`,
    );
    return { MiscOutputData: Math.max(row?.most ?? 0, row?.count ?? 0) };
  },
});

/** 155. */
export const tellChildren = stage({
  summary: 'Returns how many documents depend on the errors of a crawl.',
  access: 'read',
  heeds: ['CrawlID'],
  sets: ['MiscOutputData'],
  async run({ db }, { CrawlID }) {
    const row = await db.first(
      { sum: number },
      sql`select coalesce(sum(children_count), 0) as "sum" from reported_errors where crawl_id = ${CrawlID}`,
    );
    return { MiscOutputData: row?.sum ?? 0 };
  },
});
