import type { Row } from '../../../../base/stored.ts';
import type { Db } from '../../../../engine/db.ts';
import { type Sql, sql } from '../../../../engine/sql.ts';
import { bigint } from '../../../../tds/types/index.ts';
import { hresult, itemType, number, text } from '../values.ts';

/** The identity of a URL as one text: the client's hash, and the URL in its comparison form. */
export const urlKey = (hash: Sql, key: Sql): Sql => sql`coalesce(${hash}, 0) || ' ' || coalesce(${key}, '')`;

/** The same for a compact URL; NULL without one, which is the identity of no item. */
export const compactKey = (hash: Sql, key: Sql): Sql => sql`coalesce(${hash}, 0) || ' ' || nullif(${key}, '')`;

/**
 * Links that have no effect on anchors: entries of change logs, markers, start addresses, business data, excluded ones.
 */
const saysNothing = sql`(
  coalesce(parent_process_change_log, 0) = 1 or item_type in (${itemType.lastLink}, ${itemType.startAddress})
  or substr(coalesce(display_key, ''), 1, 3) = 'bdc' or coalesce(hr_result, 0) = ${hresult.excludedByRule})`;

/**
 * The fields of a link that the rules use; NULL counts as 0, and as no source. Most of its texts stay in the database.
 */
const link = {
  id: number,
  access: text,
  compact: { orNull: text },
  sourceDocId: number,
  hostId: number,
  sourceHostId: number,
  startAddressId: number,
  contentSourceId: number,
  itemType: number,
  crawlType: number,
  transactionType: number,
  transactionFlags: number,
  scope: number,
  hostDepth: number,
  enumerationDepth: number,
  useChangeLog: number,
  hrResult: number,
  parentProcessChangeLog: number,
  protocolSwitch: number,
  sourceIsStartAddress: number,
  sourceHostHop: number,
  changeLogBatchId: number,
  lastModifiedTime: { orNull: bigint },
  host: { orNull: text },
  saysNothing: number,
};

/** A link loaded by a client. */
export type Link = Row<typeof link>;

/** The first links of a crawl, in order of arrival. */
export function firstLinks(db: Db, crawl: number, most: number): Promise<Link[]> {
  return db.all(
    link,
    sql`
      select link_id as "id", ${urlKey(sql`access_hash`, sql`access_key`)} as "access",
        ${compactKey(sql`compact_hash`, sql`compact_key`)} as "compact",
        coalesce(source_doc_id, -1) as "sourceDocId", host_id as "hostId", coalesce(source_host_id, 0) as "sourceHostId",
        coalesce(start_address_id, 0) as "startAddressId", coalesce(content_source_id, 0) as "contentSourceId",
        item_type as "itemType", coalesce(crawl_type, 0) as "crawlType",
        coalesce(transaction_type, 0) as "transactionType", coalesce(transaction_flags, 0) as "transactionFlags",
        coalesce(scope, 0) as "scope", coalesce(host_depth, 0) as "hostDepth",
        coalesce(enumeration_depth, 0) as "enumerationDepth", coalesce(use_change_log, 0) as "useChangeLog",
        coalesce(hr_result, 0) as "hrResult", coalesce(parent_process_change_log, 0) as "parentProcessChangeLog",
        coalesce(protocol_switch, 0) as "protocolSwitch", coalesce(source_is_start_address, 0) as "sourceIsStartAddress",
        coalesce(source_host_hop, 0) as "sourceHostHop", 
        coalesce(change_log_batch_id, 0) as "changeLogBatchId", last_modified_time as "lastModifiedTime",
        host as "host", case when ${saysNothing} then 1 else 0 end as "saysNothing"
      from crawl_links where crawl_id = ${crawl} order by link_id limit ${most}`,
  );
}
