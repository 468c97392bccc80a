import { sql } from '../../../../engine/sql.ts';
import { project } from '../../crawls/crawl-status.ts';
import { isFoundation, stage } from '../../stage.ts';
import { resolveAnchors } from './complete/anchors.ts';
import { resolveColleagues } from './complete/colleagues.ts';
import { forgetChanges } from './forget-changes.ts';
import { countHosts } from './host-statistics.ts';

/** 149. All of it is done in one call, so that nobody need call again. */
export const completeCrawl = stage({
  summary: 'Completes a crawl in this store and records what an anchor crawl has to process, once.',
  access: 'write',
  heeds: ['CrawlID', 'ProjectID'],
  async run(call, { CrawlID, ProjectID }) {
    const { db, now } = call;
    const completed = await db.run(sql`
      insert into completed_crawls (crawl_id, time) values (${CrawlID}, ${now}) on conflict (crawl_id) do nothing`);
    if (completed === 0) return;
    // No anchor crawl follows in the Foundation role: what is noted for one would be kept for ever.
    if (isFoundation(call)) return await forgetChanges(call, CrawlID);
    if (ProjectID === project.portalContent) {
      await countHosts(db);
      await resolveAnchors(db, CrawlID);
      await resolveColleagues(db, CrawlID);
      await db.run(sql`
        insert into pending_anchor_changes (crawl_id, target_doc_id)
        select crawl_id, doc_id from changed_targets where crawl_id = ${CrawlID} and doc_id <> -1
        on conflict (crawl_id, target_doc_id) do nothing`);
    }
    if (ProjectID === project.anchor) {
      await db.run(sql`delete from anchor_changes`);
      await db.run(sql`delete from pending_anchor_changes`);
      await db.run(sql`delete from changed_targets`);
      await db.run(sql`delete from changed_sources`);
      await db.run(sql`delete from changed_deleted`);
      await db.run(sql`delete from changed_committed`);
    }
  },
});
