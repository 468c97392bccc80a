import type { Db } from '../../../../engine/db.ts';
import { sql, table } from '../../../../engine/sql.ts';
import { byCompact } from '../by-url-hash.ts';
import { number, scope, transactionType } from '../values.ts';
import { Identifiers, type Interval, isHandedOutAgain } from './identifiers.ts';

/** The most links of an anchor crawl in a call; it has one or a few per store. */
const everyLink = 100_000;

/**
 * Turns every link of an anchor crawl into an item. Returns the number of links, or undefined if identifiers run out.
 * If the caller would be given the same interval again, processes the links for which there are identifiers.
 */
export async function flushAnchorProject(
  db: Db,
  crawl: number,
  brought: Interval | undefined,
): Promise<number | undefined> {
  const links = await db.all(
    { id: number },
    sql`select link_id as "id" from crawl_links where crawl_id = ${crawl} order by link_id limit ${everyLink}`,
  );
  const identifiers = await Identifiers.load(db, brought, links.length);
  const rows: [number, number][] = [];
  for (const { id } of links) {
    const doc = identifiers.take();
    if (doc === undefined) break;
    rows.push([id, doc]);
  }
  if (rows.length < links.length && (rows.length === 0 || !(await isHandedOutAgain(db, brought)))) return undefined;
  await db.runAll(identifiers.saving());
  if (rows.length === 0) return 0;
  const known = byCompact((hash) => sql`${hash} = l.compact_hash`)
    .map(
      (way) => sql`
      select h.parent_doc_id as parent from crawl_history h
      where ${way} and h.compact_key = l.compact_key and h.delete_pending = 0`,
    )
    .reduce((one, other) => sql`${one} union all ${other}`);
  const numbered = sql`${table({ link: 'bigint', doc: 'bigint' }, rows)} n join crawl_links l on l.link_id = n.link`;
  await db.run(sql`
    insert into crawl_queue (crawl_id, doc_id, source_doc_id, start_address_id, content_source_id, project_id,
      transaction_type, scope, transaction_flags, host_depth, enumeration_depth, change_log_batch_id, cached_blob)
    select ${crawl}, n.doc, (select min(k.parent) from (${known}) k),
      l.start_address_id, l.content_source_id, l.project_id, ${transactionType.modify}, l.scope,
      coalesce(l.transaction_flags, 0), l.host_depth, l.enumeration_depth, l.change_log_batch_id, l.cached_blob
    from ${numbered} order by n.link`);
  await db.run(sql`
    insert into crawl_history (doc_id, crawl_id, start_address_id, content_source_id, project_id, access_url, access_key,
      access_hash, compact_url, compact_key, compact_hash, display_url, display_key, display_hash, transaction_flags,
      host_depth, enumeration_depth, use_change_log, index_type, lcid, prop_md5, end_path_flag, host_id, site_id,
      item_type, parent_doc_id, parent_host_id, crawl_scope, ph_flags)
    select n.doc, ${crawl}, l.start_address_id, l.content_source_id, l.project_id, l.access_url, l.access_key,
      l.access_hash, l.compact_url, l.compact_key, l.compact_hash, l.display_url, l.display_key, l.display_hash,
      coalesce(l.transaction_flags, 0), l.host_depth, l.enumeration_depth, l.use_change_log, l.index_type, l.lcid,
      l.prop_md5, l.end_path_flag, l.host_id, l.site_id, l.item_type, l.source_doc_id, l.source_host_id, ${scope.deep}, 0
    from ${numbered} order by n.link`);
  await db.run(sql`delete from crawl_links where crawl_id = ${crawl} and link_id <= ${rows.at(-1)?.[0] ?? 0}`);
  return rows.length;
}
