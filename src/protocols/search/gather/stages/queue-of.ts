import type { Db } from '../../../../engine/db.ts';
import { type Sql, sql } from '../../../../engine/sql.ts';
import { project } from '../../crawls/crawl-status.ts';
import { number } from '../values.ts';

/**
 * Documents of a content source that are not to be deleted yet. What an anchor crawl works on is none of them, though
 * it has the content source 1: a portal crawl that took it would end the anchor crawl.
 */
export const ofContentSource = (contentSource: number): Sql => sql`
  content_source_id = ${contentSource} and delete_pending = 0 and project_id is distinct from ${project.anchor}`;

/** How a stage adds documents of the history to the queue. */
interface Queued {
  readonly crawl: number;
  /** Which documents `h`. */
  readonly which: Sql;
  readonly transactionType: number;
  readonly scope: Sql;
  readonly flags: Sql;
  readonly sourceDoc: Sql;
  readonly deleteReason?: number;
}

/** Queues documents of the history, in the order of their identifiers; returns how many there were. */
export function queueDocuments(db: Db, queued: Queued): Promise<number> {
  return db.run(sql`
    insert into crawl_queue (crawl_id, doc_id, start_address_id, host_depth, enumeration_depth, content_source_id,
      project_id, source_doc_id, transaction_type, scope, transaction_flags, change_log_batch_id, delete_reason)
    select ${queued.crawl}, h.doc_id, h.start_address_id, h.host_depth, h.enumeration_depth, h.content_source_id,
      h.project_id, ${queued.sourceDoc}, ${queued.transactionType}, ${queued.scope}, ${queued.flags}, 0,
      ${queued.deleteReason ?? null}
    from crawl_history h where ${queued.which} order by h.doc_id`);
}

/** How a crawl is asked for in the queue: in the words of both of its partial indexes. */
const inQueue = (crawl: number): readonly [Sql, Sql] => [
  sql`select 1 from crawl_queue where crawl_id = ${crawl} and batch_id = 0`,
  sql`select 1 from crawl_queue where crawl_id = ${crawl} and batch_id <> 0`,
];

/** True if a crawl has something in the queue, taken or not. */
export async function isInQueue(db: Db, crawl: number): Promise<boolean> {
  const [free, taken] = inQueue(crawl);
  const row = await db.first(
    { there: number },
    sql`select case when exists (${free}) or exists (${taken}) then 1 else 0 end as "there"`,
  );
  return row?.there === 1;
}

/** Records that a stage was run for a crawl; false if it was run before. */
export async function isFirstRun(db: Db, crawl: number, stage: number): Promise<boolean> {
  const noted = await db.run(sql`
    insert into stages_run (crawl_id, stage) values (${crawl}, ${stage}) on conflict (crawl_id, stage) do nothing`);
  return noted === 1;
}
