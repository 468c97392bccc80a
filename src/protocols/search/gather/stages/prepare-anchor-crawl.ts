import type { Db } from '../../../../engine/db.ts';
import { type Sql, sql } from '../../../../engine/sql.ts';
import { crawlType } from '../../crawls/crawl-status.ts';
import { isFoundation, stage } from '../../stage.ts';
import { byDisplay } from '../by-url-hash.ts';

/** Anchor Change Type (2.2.1.23). */
const changeType = { noLinks: 1, links: 2 } as const;

/** Documents that something leads to. */
const targets = sql`(
  select target_doc_id from anchor_text where target_doc_id <> -1
  union select target_doc_id from annotations
  union select target_doc_id from social_distance where target_doc_id <> -1)`;

/** True for a document that something leads to; each of the three has its index. */
const isTarget = (document: Sql): Sql => sql`(
  exists (select 1 from anchor_text t where t.target_doc_id = ${document})
  or exists (select 1 from annotations t where t.target_doc_id = ${document})
  or exists (select 1 from social_distance t where t.target_doc_id = ${document}))`;

/** 170. */
export const prepareAnchorCrawl = stage({
  summary: 'Resolves pending annotations and lists the documents that an anchor crawl has to process.',
  access: 'write',
  heeds: ['MiscInputData', 'CrawlType', 'CrawlID'],
  async run(call, { MiscInputData: mainCrawl, CrawlType, CrawlID }) {
    if (isFoundation(call)) return;
    const { db } = call;
    await resolveAnnotations(db, mainCrawl);
    const pending = sql`pending_anchor_changes p where p.crawl_id = ${mainCrawl}`;
    const change = sql`insert into anchor_changes (crawl_id, target_doc_id, change_type)`;
    const replaced = sql`on conflict (crawl_id, target_doc_id) do update set change_type = excluded.change_type`;
    if (CrawlType === crawlType.full && CrawlID === 0) {
      await db.run(sql`
        ${change} select ${mainCrawl}, p.target_doc_id, ${changeType.noLinks} from ${pending}
          and not ${isTarget(sql`p.target_doc_id`)} ${replaced}`);
      await db.run(sql`
        ${change} select ${mainCrawl}, t.target_doc_id, ${changeType.links} from ${targets} t where true ${replaced}`);
    } else if (CrawlType === crawlType.incremental || CrawlID !== 0) {
      await db.run(sql`
        ${change} select ${mainCrawl}, p.target_doc_id,
          case when ${isTarget(sql`p.target_doc_id`)} then ${changeType.links} else ${changeType.noLinks} end
        from ${pending} ${replaced}`);
    }
  },
});

/** Annotations of one document replace those that it had; what leads to no document is dropped. */
async function resolveAnnotations(db: Db, mainCrawl: number): Promise<void> {
  await db.run(sql`delete from annotations where target_doc_id in (select m.doc_id from ${matched})`);
  await db.run(sql`
    insert into annotations (target_doc_id, pid, annotation_text, update_time, lcid, annotation_numeric)
    select m.doc_id, p.pid, p.annotation_text, p.update_time, p.lcid, p.annotation_numeric
    from ${matched} join annotations_pending p on p.id = m.id order by p.id`);
  await db.run(sql`
    insert into pending_anchor_changes (crawl_id, target_doc_id)
    select distinct ${mainCrawl}, m.doc_id from ${matched} where true
    on conflict (crawl_id, target_doc_id) do nothing`);
  await db.run(sql`delete from annotations_pending`);
}

/** Pending annotations with the documents that they are about. */
const matched = sql`(${byDisplay((hash) => sql`${hash} = p.target_display_hash`)
  .map(
    (way) => sql`
    select p.id, h.doc_id from annotations_pending p join crawl_history h on ${way}
      and h.display_key = p.target_display_key and h.index_type = 1 and h.delete_pending = 0`,
  )
  .reduce((one, other) => sql`${one} union all ${other}`)}) m`;
