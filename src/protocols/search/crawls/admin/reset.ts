import { sql } from '../../../../engine/sql.ts';
import { stage } from '../../stage.ts';

/** 91. The identifiers of crawls continue after the existing ones. */
export const reset = stage({
  summary: 'Deletes all crawls.',
  access: 'write',
  heeds: [],
  async run({ db }) {
    await db.run(sql`delete from crawls`);
    await db.run(sql`delete from crawl_component_status`);
    await db.run(sql`delete from crawl_store_status`);
    await db.run(sql`delete from requested_deletes`);
    await db.run(sql`update crawl_stores set doc_count = 0`);
  },
});
