import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bigint, int, varbinary } from '../../../tds/types/index.ts';
import { shownText } from '../shown-text.ts';
import { anchorRows } from './anchor-rows.ts';
import { longestTrackerBlob } from './tracker-blob.ts';

const links = {
  TargetDocID: int,
  SourceDocID: int,
  Pid: int,
  AnchorNumeric: int,
  AnchorFrequency: int,
  LCID: orNull(int),
  LinkId: bigint,
  AnchorText: orNull(shownText),
  AnchorBinary: orNull(varbinary(longestTrackerBlob)),
  ChangeType: int,
  InterSite: int,
};

export const getTopAnchorLinks = procedure({
  name: 'proc_MSS_GetTopAnchorLinks',
  section: 'MS-SQLPGAT2 3.1.5.62',
  summary: 'Returns all that an anchor crawl indexes for a range of documents.',
  access: 'read',
  params: {
    CrawlID: nullable(int, 'The crawl that found the changes; without any of its own, all changes count.'),
    MinTargetDocID: nullable(int, 'The first document of the range.'),
    MaxTargetDocID: nullable(int, 'The document behind the last one of the range.'),
  },
  outcomes: { found: { code: 0, meaning: 'The rows, document by document.', sets: { links } } },
  async handle({ db }, { CrawlID, MinTargetDocID, MaxTargetDocID }) {
    const own = await db.first(
      { found: int },
      sql`select 1 as "found" from anchor_changes where crawl_id = ${CrawlID} limit 1`,
    );
    const targets = sql`
      select target_doc_id, max(change_type) from anchor_changes
      where target_doc_id >= ${MinTargetDocID} and target_doc_id < ${MaxTargetDocID}
        ${own === undefined ? sql`` : sql`and crawl_id = ${CrawlID}`}
      group by target_doc_id`;
    return { outcome: 'found', sets: { links: db.rows(links, anchorRows(targets)) } };
  },
});
