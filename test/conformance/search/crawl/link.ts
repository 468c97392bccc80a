import { fold } from '../../../../src/base/collation.ts';
import type { Bindable } from '../../../../src/base/stored.ts';
import type { Database } from '../../../../src/engine/db.ts';

/** A link as a test writes it: the attributes of the Links set that it cares about. */
export interface TestLink {
  readonly CrawlID: number;
  readonly AccessURL: string;
  readonly [attribute: string]: Bindable;
}

/** A hash as a client might compute it: of the URL as it compares. */
export function hashOf(url: string): number {
  let hash = 5381;
  for (const letter of fold(url)) hash = (Math.imul(hash, 33) + (letter.codePointAt(0) ?? 0)) | 0;
  return hash;
}

const columns: Readonly<Record<string, string>> = {
  CrawlID: 'crawl_id',
  SourceDocID: 'source_doc_id',
  DocID: 'doc_id',
  HostID: 'host_id',
  SourceHostID: 'source_host_id',
  StartAddressID: 'start_address_id',
  ContentSourceID: 'content_source_id',
  ProjectID: 'project_id',
  AccessURL: 'access_url',
  AccessHash: 'access_hash',
  DisplayURL: 'display_url',
  DisplayHash: 'display_hash',
  CompactURL: 'compact_url',
  CompactHash: 'compact_hash',
  ItemType: 'item_type',
  CrawlType: 'crawl_type',
  TransactionType: 'transaction_type',
  TransactionFlags: 'transaction_flags',
  Scope: 'scope',
  HostDepth: 'host_depth',
  EnumerationDepth: 'enumeration_depth',
  EndPathFlag: 'end_path_flag',
  IndexType: 'index_type',
  LCID: 'lcid',
  UseChangeLog: 'use_change_log',
  hrResult: 'hr_result',
  ParentProcessChangeLog: 'parent_process_change_log',
  ProtocolSwitch: 'protocol_switch',
  SourceIsStartAddress: 'source_is_start_address',
  SourceHostHop: 'source_host_hop',
  PropMD5: 'prop_md5',
  SiteID: 'site_id',
  Host: 'host',
  ChangeLogBatchID: 'change_log_batch_id',
  CachedBlob: 'cached_blob',
  FirstLink: 'first_link',
  AnchorText: 'anchor_text',
  AnchorHash: 'anchor_hash',
  Pid: 'pid',
  InterSite: 'inter_site',
  LastModifiedTime: 'last_modified_time',
};

const keyOf = (value: Bindable): string | null => (typeof value === 'string' ? fold(value) : null);

/** A link with everything that a client says of an ordinary one. */
export function wholeLink(link: TestLink): Readonly<Record<string, Bindable>> {
  const display = String(link['DisplayURL'] ?? link.AccessURL);
  return {
    SourceDocID: -1,
    DocID: -1,
    HostID: 1,
    SourceHostID: 1,
    StartAddressID: 1,
    ContentSourceID: 1,
    ProjectID: 1,
    AccessHash: hashOf(link.AccessURL),
    DisplayURL: display,
    DisplayHash: hashOf(display),
    CompactURL: link.AccessURL.slice(-40),
    CompactHash: hashOf(link.AccessURL.slice(-40)),
    ItemType: 2,
    CrawlType: 1,
    TransactionType: 0,
    TransactionFlags: 0,
    Scope: 2,
    HostDepth: 0,
    EnumerationDepth: 0,
    EndPathFlag: 0,
    IndexType: 1,
    LCID: 1033,
    UseChangeLog: 0,
    hrResult: 0,
    ParentProcessChangeLog: 0,
    ProtocolSwitch: 0,
    SourceIsStartAddress: 0,
    SourceHostHop: 0,
    PropMD5: 0,
    SiteID: 1,
    Host: 'host',
    ChangeLogBatchID: 0,
    CachedBlob: null,
    FirstLink: 0,
    AnchorText: 'text',
    AnchorHash: hashOf(String(link['AnchorText'] ?? 'text')),
    Pid: 10,
    InterSite: 0,
    LastModifiedTime: null,
    ...link,
  };
}

/** Puts links where clients put them. */
export async function bringLinks(store: Database, links: readonly TestLink[]): Promise<void> {
  const names = Object.keys(columns);
  await store.write((db) =>
    db.insert(
      'crawl_links',
      [...Object.values(columns), 'access_key', 'display_key', 'compact_key', 'anchor_key'],
      links
        .map(wholeLink)
        .map((link) => [
          ...names.map((name) => link[name] ?? null),
          ...['AccessURL', 'DisplayURL', 'CompactURL', 'AnchorText'].map((name) => keyOf(link[name] ?? null)),
        ]),
    ),
  );
}
