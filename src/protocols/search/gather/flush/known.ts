import type { Row } from '../../../../base/stored.ts';
import type { Db } from '../../../../engine/db.ts';
import { type EachEngine, list, lookedUp, type Sql, sql } from '../../../../engine/sql.ts';
import { bigint } from '../../../../tds/types/index.ts';
import { byCompact } from '../by-url-hash.ts';
import { number, text, transactionType } from '../values.ts';
import { compactKey, type Link, urlKey } from './link.ts';

const known = {
  docId: number,
  access: text,
  compact: { orNull: text },
  startAddressId: number,
  contentSourceId: number,
  crawlId: number,
  commitCrawlId: number,
  securityUpdateCrawlId: number,
  cachedSecurityUpdateCrawlId: number,
  crawlScope: number,
  transactionFlags: number,
  hostDepth: number,
  enumerationDepth: number,
  parentDocId: { orNull: number },
  parentHostId: { orNull: number },
  lastModifiedTime: { orNull: bigint },
  errorId: number,
  errorLevel: number,
};

/** A record of the history as the call leaves it; the specification calls it the processed record of a link. */
export type Known = { -readonly [K in keyof Row<typeof known>]: Row<typeof known>[K] } & {
  deletePending: boolean;
  losesSecurityId: boolean;
};

const columns = sql`
  h.doc_id as "docId", ${urlKey(sql`h.access_hash`, sql`h.access_key`)} as "access",
  ${compactKey(sql`h.compact_hash`, sql`h.compact_key`)} as "compact",
  coalesce(h.start_address_id, 0) as "startAddressId", coalesce(h.content_source_id, 0) as "contentSourceId",
  h.crawl_id as "crawlId", h.commit_crawl_id as "commitCrawlId", h.security_update_crawl_id as "securityUpdateCrawlId",
  h.cached_security_update_crawl_id as "cachedSecurityUpdateCrawlId", coalesce(h.crawl_scope, 0) as "crawlScope",
  h.transaction_flags as "transactionFlags", coalesce(h.host_depth, 0) as "hostDepth",
  coalesce(h.enumeration_depth, 0) as "enumerationDepth", h.parent_doc_id as "parentDocId",
  h.parent_host_id as "parentHostId", h.last_modified_time as "lastModifiedTime",
  h.error_id as "errorId", h.error_level as "errorLevel"`;

/**
 * The records of the history that the links of a call refer to, by URL and by compact URL, as the call changes them.
 */
export class KnownRecords {
  readonly #byAccess = new Map<string, Known>();
  readonly #byCompact = new Map<string, Known[]>();

  /** Reads those that links up to the last one have by access URL, and by compact URL those that renamed items have. */
  static async of(db: Db, crawl: number, links: readonly Link[]): Promise<KnownRecords> {
    const found = new Map<number, Row<typeof known>>();
    const look = async (which: Sql, way: EachEngine) => {
      for (const row of await find(db, which, way)) found.set(row.docId, row);
    };
    await look(sql`l.crawl_id = ${crawl} and l.link_id <= ${links.at(-1)?.id ?? 0}`, byAccess);
    const renamed = links.filter(({ transactionType: type }) => type === transactionType.rename).map(({ id }) => id);
    if (renamed.length > 0)
      for (const way of compactWays) await look(sql`l.link_id in ${list('bigint', renamed)}`, way);
    const records = new KnownRecords();
    records.#addAll([...found.values()]);
    return records;
  }

  byAccess(link: Link): Known | undefined {
    return living(this.#byAccess.get(link.access));
  }

  /** Those with the compact URL of a link and another access URL: the former place of a renamed item. */
  elsewhere(link: Link): readonly Known[] {
    const its = link.compact === null ? undefined : this.#byCompact.get(link.compact);
    return its?.filter(({ access, deletePending }) => access !== link.access && !deletePending) ?? [];
  }

  add(record: Known): void {
    this.#byAccess.set(record.access, record);
    if (record.compact === null) return;
    const same = this.#byCompact.get(record.compact);
    if (same) same.push(record);
    else this.#byCompact.set(record.compact, [record]);
  }

  /** If several records have one URL, which a stop may cause, the first counts. */
  #addAll(rows: readonly Row<typeof known>[]): void {
    for (const row of rows.toSorted((one, other) => other.docId - one.docId)) {
      this.add({ ...row, deletePending: false, losesSecurityId: false });
    }
  }
}

const living = (record: Known | undefined): Known | undefined => (record?.deletePending ? undefined : record);

const history = (match: Sql) => lookedUp(sql`crawl_links l`, sql`crawl_history`, sql`h`, match);
const byAccess = history(sql`h.access_hash = l.access_hash and h.access_key = l.access_key`);
const compactWays = byCompact((hash) => sql`${hash} = l.compact_hash`).map((way) =>
  history(sql`${way} and h.compact_key = l.compact_key`),
);

const find = (db: Db, which: Sql, matching: EachEngine): Promise<Row<typeof known>[]> =>
  db.all(known, sql`select ${columns} from ${matching} where ${which} and h.delete_pending = 0`);
