import { type Sql, sql } from '../../../../engine/sql.ts';
import type { Committed } from './transaction.ts';

/** The transaction's own row of the queue. */
export const ownItem = ({ DocID, CrawlID, SeqID }: Committed): Sql =>
  sql`doc_id = ${DocID} and crawl_id = ${CrawlID} and seq_id = ${SeqID}`;
