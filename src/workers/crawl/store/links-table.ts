import type { Row } from '../../../base/stored.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bigint, int, nvarchar, varbinary } from '../../../tds/types/index.ts';
import { compactHash, compactUrl, hash32 } from '../url/hash.ts';
import { endPathFlag } from '../url/normal-url.ts';

const url = nvarchar(1500);

/** The columns of the Links set (3.1.1.5) that a crawler fills; the others stay NULL. */
export const linksTable = {
  name: 'MSSTranTempTable0',
  columns: {
    CrawlID: int,
    SourceDocID: int,
    DocID: int,
    HostID: int,
    SourceHostID: int,
    StartAddressID: int,
    ContentSourceID: int,
    ProjectID: int,
    AccessURL: url,
    AccessHash: int,
    DisplayURL: url,
    DisplayHash: int,
    CompactURL: nvarchar(40),
    CompactHash: int,
    ItemType: int,
    CrawlType: int,
    TransactionType: int,
    TransactionFlags: int,
    Scope: int,
    HostDepth: int,
    EnumerationDepth: int,
    EndPathFlag: int,
    IndexType: int,
    LCID: int,
    UseChangeLog: int,
    hrResult: int,
    ParentProcessChangeLog: int,
    ProtocolSwitch: int,
    SourceIsStartAddress: int,
    SourceHostHop: int,
    PropMD5: int,
    SiteID: int,
    Host: nvarchar(300),
    ChangeLogBatchID: int,
    CachedBlob: orNull(varbinary(8000)),
    FirstLink: int,
    AnchorText: orNull(url),
    AnchorHash: int,
    Pid: int,
    InterSite: int,
    LastModifiedTime: orNull(bigint),
  },
} as const;

export type LinkRow = Row<typeof linksTable.columns>;

/** The property of anchor texts. */
export const anchorTextPid = 10;

/** A link with everything derived from its URL, and defaults for the rest. */
export function linkRow(
  link: Pick<LinkRow, 'CrawlID' | 'AccessURL' | 'Host' | 'HostID' | 'CrawlType' | 'ContentSourceID' | 'ItemType'> &
    Partial<LinkRow>,
): LinkRow {
  const { AccessURL, AnchorText = null } = link;
  const compact = compactUrl(AccessURL);
  // The compact URL begins with it.
  const hash = compactHash(compact);
  return {
    SourceDocID: -1,
    DocID: -1,
    SourceHostID: 0,
    StartAddressID: 0,
    ProjectID: 1,
    AccessHash: hash,
    DisplayURL: AccessURL,
    DisplayHash: hash,
    CompactURL: compact,
    CompactHash: hash,
    TransactionType: 0,
    TransactionFlags: 0,
    Scope: 2,
    HostDepth: 0,
    EnumerationDepth: 0,
    EndPathFlag: endPathFlag(AccessURL),
    IndexType: 1,
    LCID: 0,
    UseChangeLog: 0,
    hrResult: 0,
    ParentProcessChangeLog: 0,
    ProtocolSwitch: 0,
    SourceIsStartAddress: 0,
    SourceHostHop: 0,
    PropMD5: 0,
    SiteID: link.HostID,
    ChangeLogBatchID: 0,
    CachedBlob: null,
    FirstLink: 0,
    AnchorHash: AnchorText === null ? 0 : hash32(AnchorText),
    Pid: anchorTextPid,
    InterSite: 0,
    LastModifiedTime: null,
    ...link,
    AnchorText,
  };
}
