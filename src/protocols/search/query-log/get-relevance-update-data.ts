import { type Sql, sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int, nvarchar, smalldatetime } from '../../../tds/types/index.ts';

const queries = {
  URL: nvarchar(1024),
  URLHash: int,
  QueryString: nvarchar(1024),
  QueryLCID: int,
  NumClicks: int,
};
const items = { URL: nvarchar(1024), URLHash: int, NumClicks: int, NumSkips: int, NumLastClicks: int };

export const getRelevanceUpdateData = procedure({
  name: 'proc_MSS_QLog_GetRelevanceUpdateData',
  section: 'MS-SQLPGAT2 3.1.5.68',
  summary: 'Counts the clicks and skips of URLs for which new ones were recorded.',
  access: 'read',
  params: {
    startDate: nullable(smalldatetime, 'The beginning of what is counted.'),
    startUpdateDate: nullable(smalldatetime, 'Only URLs with a click or a skip then or later.'),
    endUpdateDateExcl: nullable(smalldatetime, 'The end of what is counted, which is not counted itself.'),
  },
  outcomes: { found: { code: 0, meaning: 'The counts by query and by URL.', sets: { queries, items } } },
  handle({ db }, { startDate, startUpdateDate, endUpdateDateExcl }) {
    const counted: Sql = sql`
      logged_at >= ${startDate} and logged_at < ${endUpdateDateExcl} and url in (
        select url from raw_query_log where logged_at >= ${startUpdateDate} and logged_at < ${endUpdateDateExcl})`;
    const byQuery = db.rows(
      queries,
      sql`
        select url as "URL", 0 as "URLHash", query_string as "QueryString", query_lcid as "QueryLCID",
          sum(clicked) as "NumClicks"
        from raw_query_log where ${counted}
        group by url, query_string, query_lcid having sum(clicked) > 0`,
    );
    const byItem = db.rows(
      items,
      sql`
        select url as "URL", 0 as "URLHash", sum(clicked) as "NumClicks", sum(1 - clicked) as "NumSkips",
          sum(clicked_last) as "NumLastClicks"
        from raw_query_log where ${counted} group by url`,
    );
    return { outcome: 'found', sets: { queries: byQuery, items: byItem } };
  },
});
