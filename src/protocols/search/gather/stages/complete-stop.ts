import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { project } from '../../crawls/crawl-status.ts';
import { isFoundation, stage } from '../../stage.ts';
import { transactionType } from '../values.ts';
import { forgetChanges } from './forget-changes.ts';
import { countHosts } from './host-statistics.ts';

/** 115. */
export const completeStop = stage({
  summary: 'Cleans up after a stopped crawl: deletions, the queue and links.',
  access: 'write',
  heeds: ['CrawlID', 'ContentSourceID', 'ProjectID'],
  async run(call, { CrawlID, ContentSourceID, ProjectID }) {
    const { db, now } = call;
    // A change log may have deleted what was a document of another source: with its item gone, nobody else would take
    // that back.
    await db.run(sql`
      update crawl_history set delete_pending = 0
      where delete_pending <> 0 and exists (
        select 1 from crawl_queue q where q.doc_id = crawl_history.doc_id and q.crawl_id = ${CrawlID}
          and q.transaction_type = ${transactionType.delete}
          and ${ContentSourceID} in (crawl_history.content_source_id, q.content_source_id))`);
    if (ProjectID === project.anchor) await forgetWork(db, CrawlID);
    await db.run(sql`delete from crawl_queue where crawl_id = ${CrawlID} and batch_id = 0`);
    await db.run(sql`delete from crawl_queue where crawl_id = ${CrawlID} and batch_id <> 0`);
    await db.run(sql`delete from crawl_links where crawl_id = ${CrawlID}`);
    if (!isFoundation(call)) await db.run(sql`delete from colleague_links where crawl_id = ${CrawlID}`);
    if (ProjectID !== project.portalContent) return;
    await countHosts(db);
    await forgetChanges(call, CrawlID);
    if (!isFoundation(call)) await db.run(sql`delete from social_deleted where crawl_id = ${CrawlID}`);
    await db.run(sql`
      insert into completed_crawls (crawl_id, time) values (${CrawlID}, ${now}) on conflict (crawl_id) do nothing`);
  },
});

/**
 * The items of an anchor crawl are not documents that a later crawl would visit or delete. A component may still report
 * something about items in a batch, which must find no other document.
 */
async function forgetWork(db: Db, crawl: number): Promise<void> {
  const work = sql`
    crawl_history where project_id = ${project.anchor} and doc_id in (
      select doc_id from crawl_queue where crawl_id = ${crawl} and project_id = ${project.anchor})`;
  await db.run(sql`
    insert into free_doc_ids (doc_id)
    select doc_id from ${work} and doc_id not in (select doc_id from crawl_queue where batch_id <> 0)
    on conflict (doc_id) do nothing`);
  await db.run(sql`delete from ${work}`);
}
