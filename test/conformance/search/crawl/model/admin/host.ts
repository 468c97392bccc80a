import { sql } from '../../../../../../src/engine/sql.ts';
import { number } from '../../../../../../src/protocols/search/gather/values.ts';
import { Host } from '../host.ts';

const orNull = { orNull: number };

/** An administration database inside one transaction. */
export class AdminHost extends Host {
  /** All that the model knows too. */
  state() {
    return this.transaction.run(async (db) => ({
      crawls: await db.all(
        {
          id: number,
          project: number,
          type: number,
          source: number,
          main: number,
          status: number,
          sub: number,
          request: number,
        },
        sql`
          select crawl_id as "id", project_id as "project", crawl_type as "type", content_source_id as "source",
            main_crawl_id as "main", status as "status", sub_status as "sub", request as "request"
          from crawls order by crawl_id`,
      ),
      joined: await db.all(
        { crawl: number, component: number, status: number, isIdle: number, successes: number },
        sql`
          select crawl_id as "crawl", component_id as "component", status as "status",
            case when idle_since is null then 0 else 1 end as "isIdle", success_count as "successes"
          from crawl_component_status order by crawl_id, component_id`,
      ),
      stores: await db.all(
        { crawl: number, store: number, since: number },
        sql`
          select crawl_id as "crawl", crawl_store as "store", join_time as "since"
          from crawl_store_status order by crawl_id, crawl_store`,
      ),
      deletes: await db.all(
        { crawl: number, source: number, start: number },
        sql`
          select crawl_id as "crawl", content_source_id as "source", start_address_id as "start"
          from requested_deletes order by id`,
      ),
      components: await db.all(
        { number, state: number, isMaster: number, reported: orNull },
        sql`
          select number as "number", state as "state", is_master as "isMaster", report_time as "reported"
          from crawl_components order by number`,
      ),
    }));
  }
}
