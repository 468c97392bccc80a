import type { Db } from '../../../../../engine/db.ts';
import { type Sql, sql } from '../../../../../engine/sql.ts';
import { byDisplay } from '../../by-url-hash.ts';
import { number } from '../../values.ts';

/** Lets anchors lead to the documents that the crawl has found, and no longer to those that it has deleted. */
export async function resolveAnchors(db: Db, crawl: number): Promise<void> {
  await unlinkDeleted(db, crawl);
  await link(db, crawl, sql`a.source_doc_id in (select doc_id from changed_sources where crawl_id = ${crawl})`);
  await link(
    db,
    crawl,
    sql`h.index_type = 1 and h.doc_id in (select doc_id from changed_committed where crawl_id = ${crawl})`,
  );
  await spread(db, crawl);
}

/**
 * The identifier of a deleted document may be another one's by now: what that one has found, and what leads to it,
 * stays.
 */
async function unlinkDeleted(db: Db, crawl: number): Promise<void> {
  const deleted = sql`(select doc_id from changed_deleted where crawl_id = ${crawl})`;
  const isOfAnother = sql`exists (
    select 1 from crawl_history o where o.doc_id = anchor_text.source_doc_id
      and anchor_text.crawl_id in (o.crawl_id, o.commit_crawl_id))`;
  const leadsToAnother = sql`exists (
    select 1 from crawl_history o where o.doc_id = anchor_text.target_doc_id and o.delete_pending = 0
      and o.display_hash = anchor_text.link_hash and o.display_key = anchor_text.link_key)`;
  const lost = sql`(source_doc_id in ${deleted} and not ${isOfAnother}
    or target_doc_id in ${deleted} and not ${leadsToAnother})`;
  await db.run(sql`
    insert into changed_targets (crawl_id, doc_id)
    select distinct ${crawl}, target_doc_id from anchor_text
    where ${lost} and target_doc_id is not null and target_doc_id <> -1
    on conflict (crawl_id, doc_id) do nothing`);
  await db.run(sql`update anchor_text set target_doc_id = -1 where ${lost}`);
}

/**
 * Anchors without a target whose link is the display URL of a document that was crawled in its present form. Several
 * may belong to one link, if several documents had its URL: each finds another document, and none finds one that the
 * link already leads to.
 */
async function link(db: Db, crawl: number, which: Sql): Promise<void> {
  const [same, other] = byDisplay((hash) => sql`${hash} = a.link_hash`);
  const found = sql`(
    select link_id, doc_id from (
      select c.link_id, c.doc_id, dense_rank() over (partition by ${ofOneLink(sql`c`)} order by c.link_id) as nth_anchor,
        dense_rank() over (partition by ${ofOneLink(sql`c`)} order by c.doc_id) as nth_document
      from (${leading(same, which)} union all ${leading(other, which)}) c) n
    where nth_anchor = nth_document) f`;
  await db.run(sql`
    insert into changed_targets (crawl_id, doc_id)
    select distinct ${crawl}, f.doc_id from ${found} where true
    on conflict (crawl_id, doc_id) do nothing`);
  await db.run(sql`
    update anchor_text set target_doc_id = d.doc_id, crawl_id = ${crawl},
      inter_site = case when coalesce(anchor_text.inter_site, 0) = 0
        and coalesce(anchor_text.source_doc_site_id, 0) <> coalesce(d.site_id, 0) then 1 else 0 end
    from ${found} join crawl_history d on d.doc_id = f.doc_id
    where anchor_text.link_id = f.link_id`);
}

/** What anchors that represent one link have in common, wherever they lead. */
const ofOneLink = (a: Sql): Sql =>
  sql`${a}.source_doc_id, ${a}.link_ordinal, ${a}.link_key, coalesce(${a}.anchor_key, '')`;

const leading = (way: Sql, which: Sql): Sql => sql`
  select a.link_id, h.doc_id, a.source_doc_id, a.link_ordinal, a.link_key, a.anchor_key
  from anchor_text a join crawl_history h on ${way} and h.display_key = a.link_key
    and h.delete_pending = 0 and h.crawl_id = h.commit_crawl_id
  where (a.target_doc_id is null or a.target_doc_id = -1) and ${which} and not exists (
    select 1 from anchor_text o
    where o.source_doc_id = a.source_doc_id and o.link_ordinal = a.link_ordinal and o.link_hash = a.link_hash
      and o.link_key = a.link_key and o.target_doc_id = h.doc_id)`;

/**
 * Where several documents have one display URL, every source of a link to it leads to each of them. Those that get
 * another link have to be processed like all that a changed document points to (3.1.1.20).
 */
async function spread(db: Db, crawl: number): Promise<void> {
  const before = await db.first({ last: number }, sql`select coalesce(max(link_id), 0) as "last" from anchor_text`);
  const added = await db.run(sql`
    with several as materialized (
      select * from anchor_text where target_doc_id <> -1 and link_hash in (
        select link_hash from anchor_text where target_doc_id <> -1
        group by link_hash having min(target_doc_id) <> max(target_doc_id)))
    insert into anchor_text (source_doc_id, target_doc_id, link, link_key, link_hash, anchor_text, anchor_key, anchor_hash,
      crawl_id, link_ordinal, inter_site, lcid, pid, source_doc_site_id)
    select a.source_doc_id, l.target_doc_id, a.link, a.link_key, a.link_hash, a.anchor_text, a.anchor_key, a.anchor_hash,
      a.crawl_id, a.link_ordinal, a.inter_site, a.lcid, a.pid, a.source_doc_site_id
    from (
      select min(a.link_id) as link_id, t.target_doc_id from several a
      join (select distinct link_hash, link_key, target_doc_id from several) t
        on t.link_hash = a.link_hash and t.link_key = a.link_key
      where a.target_doc_id <> t.target_doc_id
        and not exists (
          select 1 from anchor_text o
          where o.source_doc_id = a.source_doc_id and o.link_ordinal = a.link_ordinal and o.link_key = a.link_key
            and o.target_doc_id = t.target_doc_id)
      group by ${ofOneLink(sql`a`)}, t.target_doc_id) l
    join anchor_text a on a.link_id = l.link_id
    order by a.link_id, l.target_doc_id`);
  if (added === 0) return;
  await db.run(sql`
    insert into changed_targets (crawl_id, doc_id)
    select distinct ${crawl}, target_doc_id from anchor_text where link_id > ${before?.last ?? 0}
    on conflict (crawl_id, doc_id) do nothing`);
}
