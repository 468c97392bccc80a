import { TYPES } from 'tedious';
import type { Bindable } from '../../../../src/base/stored.ts';
import { fold } from '../../../../src/base/text/collation.ts';
import type { TestClient } from '../../../support/client.ts';

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

const text = (length: number) => ({ type: TYPES.NVarChar, options: { nullable: true, length } });
const otherTypes: Readonly<Record<string, ReturnType<typeof text> | { type: typeof TYPES.BigInt; options: object }>> = {
  AccessURL: text(1500),
  DisplayURL: text(1500),
  CompactURL: text(40),
  Host: text(300),
  AnchorText: text(1500),
  LastModifiedTime: { type: TYPES.BigInt, options: { nullable: true } },
  CachedBlob: { type: TYPES.VarBinary, options: { nullable: true, length: 8000 } },
};

/** Loads links in bulk into the table that clients fill. */
export async function bringLinks(client: TestClient, links: readonly TestLink[]): Promise<void> {
  const rows = links.map(wholeLink);
  const [first] = rows;
  if (first === undefined) return;
  await new Promise<void>((resolve, reject) => {
    const load = client.connection.newBulkLoad('MSSTranTempTable0', (error) => (error ? reject(error) : resolve()));
    for (const name of Object.keys(first)) {
      const { type, options } = otherTypes[name] ?? { type: TYPES.Int, options: { nullable: true } };
      load.addColumn(name, type, options as { nullable: boolean });
    }
    client.connection.execBulkLoad(
      load,
      rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value) : value]),
        ),
      ),
    );
  });
}
