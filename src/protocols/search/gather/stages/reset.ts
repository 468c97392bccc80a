import { type Sql, sql } from '../../../../engine/sql.ts';
import { isFoundation, stage } from '../../stage.ts';

const everywhere: readonly Sql[] = [
  sql`crawl_history`,
  sql`crawl_links`,
  sql`crawl_queue`,
  sql`crawled_hosts`,
  sql`deleted_urls`,
  sql`reported_errors`,
  sql`completed_crawls`,
  sql`stages_run`,
  sql`annotations_pending_status`,
];

/** The text names the first ones; the social sets and the blobs point to documents that are gone. */
const ofProducts: readonly Sql[] = [
  sql`anchor_text`,
  sql`changed_targets`,
  sql`changed_sources`,
  sql`changed_deleted`,
  sql`changed_committed`,
  sql`pending_anchor_changes`,
  sql`anchor_changes`,
  sql`annotations`,
  sql`annotations_pending`,
  sql`colleague_links`,
  sql`social_deleted`,
  sql`social_distance`,
  sql`social_new`,
  sql`social_unchanged`,
  sql`user_documents`,
  sql`anchor_doc_props`,
];

/** 92. Identifiers of documents are not used again, so the current chunk stays, and so do the components. */
export const reset = stage({
  summary: 'Empties the crawl store.',
  access: 'write',
  heeds: [],
  async run(call) {
    for (const set of isFoundation(call) ? everywhere : [...everywhere, ...ofProducts]) {
      await call.db.run(sql`delete from ${set}`);
    }
  },
});
