import type { Database } from '../../../src/engine/db.ts';
import { type Sql, sql } from '../../../src/engine/sql.ts';
import { filledCrawl } from './queue.ts';

/** Rows in one transaction. */
const rowsInAStep = 5000;

/** Fills a crawl store with what a crawl of the first `count` links of `crawlLinks` leaves, past the procedures. */
export async function fillCrawled(database: Database, count: number): Promise<void> {
  await database.write((db) =>
    db.runAll([
      sql`insert into local_components (component_id, status) values (0, 1)`,
      sql`insert into doc_id_chunk (one, first_doc_id, last_doc_id) values (1, ${count + 1}, 2000000000)`,
      sql`insert into crawled_hosts (host_id, host_name) values (1, 'portal.example')`,
    ]),
  );
  for (let first = 0; first < count; first += rowsInAStep) {
    const links = linksBetween(first, Math.min(count, first + rowsInAStep) - 1);
    await database.write((db) =>
      db.runAll([
        documents(links),
        anchors(links),
        noted(sql`changed_targets`, links),
        noted(sql`changed_committed`, links),
      ]),
    );
  }
}

/** As `crawlLinks` makes them; the documents are numbered from 1. */
const linksBetween = (first: number, last: number): Sql => sql`(
  with recursive counted(n) as (
    select cast(${first} as bigint) union all select n + 1 from counted where n < cast(${last} as bigint)),
  hashed as (select n, ((n + 1) * 2654435761) % 4294967296 as h from counted)
  select n, case when h < 2147483648 then h else h - 4294967296 end as h,
    'http://portal.example/sites/team' || (n % 997) || '/shared documents/report-' || n || '.docx' as url
  from hashed) links`;

const documents = (links: Sql): Sql => sql`
  insert into crawl_history (doc_id, crawl_id, commit_crawl_id, start_address_id, content_source_id, project_id,
    access_url, access_key, access_hash, compact_url, compact_key, compact_hash, display_url, display_key, display_hash,
    host_depth, enumeration_depth, use_change_log, index_type, lcid, prop_md5, md5, end_path_flag, host_id, item_type,
    parent_doc_id, parent_host_id, crawl_scope, title, title_lcid, links_bitmap, ph_flags, protocol_length,
    last_modified_time, last_touch_start)
  select n + 1, ${filledCrawl}, ${filledCrawl}, 1, 1, 1, url, url, h, 'report-' || n, 'report-' || n, h, url, url, h, 0, 1,
    0, 1, 1033, n + 1, n + 1, 0, 1, 2, 1, 1, 2, 'Report ' || (n + 1), 1033, 1, 0, 7, 0, 0
  from ${links} order by n`;

const anchors = (links: Sql): Sql => sql`
  insert into anchor_text (source_doc_id, link, link_key, link_hash, lcid, anchor_text, anchor_key, anchor_hash,
    link_ordinal, crawl_id, target_doc_id)
  select 1, url, url, h, 1033, 'Report ' || n, 'report ' || n, h, n, ${filledCrawl}, n + 1 from ${links} order by n`;

const noted = (set: Sql, links: Sql): Sql => sql`
  insert into ${set} (crawl_id, doc_id) select ${filledCrawl}, n + 1 from ${links} order by n`;
