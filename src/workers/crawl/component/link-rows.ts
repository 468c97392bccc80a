import { Turn } from '../../../base/threads/turn.ts';
import { itemType } from '../../../protocols/search/gather/values.ts';
import type { Directory } from '../store/directory.ts';
import { type LinkRow, linkRow } from '../store/links-table.ts';
import type { ContentSource } from '../store/source-book.ts';
import { hostOf } from '../url/normal-url.ts';
import type { RunningCrawl } from './item.ts';
import type { Outcome } from './outcome.ts';

/** The rows that links of an item become, by the crawl store that they go to. */
export type RowsByStore = Map<number, LinkRow[]>;

/** What the links of items are part of. */
interface Linking {
  readonly crawl: RunningCrawl;
  readonly source: ContentSource | undefined;
  readonly directory: Directory;
}

/** The stores in a bitmap (2.2.2.2): the one with the ordinal n has bit n. */
const ordinalsIn = (bitmap: number): number[] => [0, 1, 2, 3, 4, 5].filter((ordinal) => (bitmap >> ordinal) & 1);

/**
 * Adds the links of an outcome, and in each store that has or had some a Last Link, which ends them: anchors that are
 * not among them are gone. Returns the bitmap of the stores that have some.
 */
export async function addLinks(outcome: Outcome, linking: Linking, rows: RowsByStore): Promise<number> {
  const { item, links } = outcome;
  const before = item.LinksBitmap ?? 0;
  if (links === undefined) return before;
  const { crawl, source, directory } = linking;
  const url = item.AccessURL ?? '';
  const host = hostOf(url);
  const startHosts = new Map(source?.startAddresses.map((start) => [hostOf(start.url), start.id]));
  const common = {
    CrawlID: crawl.id,
    CrawlType: crawl.type,
    ContentSourceID: crawl.contentSource,
    SourceDocID: item.DocID,
    SourceHostID: item.HostID ?? 0,
    StartAddressID: item.StartAddressID ?? 0,
    SourceIsStartAddress: item.SourceDocID === -1 ? 1 : 0,
    LCID: outcome.memory.lcid ?? 0,
  };
  let bitmap = 0;
  const turn = new Turn();
  for (const [place, link] of links.entries()) {
    if (turn.isOver) await turn.giveWay();
    const name = hostOf(link.url);
    const target = await directory.host(name);
    bitmap |= 1 << target.store;
    rowsOf(rows, target.store).push(
      linkRow({
        ...common,
        AccessURL: link.url,
        Host: name,
        HostID: target.id,
        ItemType: itemType.link,
        StartAddressID: name === host ? common.StartAddressID : (startHosts.get(name) ?? common.StartAddressID),
        HostDepth: link.hostDepth,
        EnumerationDepth: link.enumerationDepth,
        SourceHostHop: (item.HostDepth ?? 0) > 0 ? 1 : 0,
        InterSite: name === host ? 0 : 1,
        FirstLink: place,
        AnchorText: link.text === '' ? null : link.text,
        hrResult: link.refused ?? 0,
        TransactionFlags: link.flags ?? 0,
        LastModifiedTime: link.lastModified ?? null,
        CachedBlob: link.redirects === undefined ? null : Uint8Array.of(link.redirects),
      }),
    );
  }
  for (const ordinal of ordinalsIn(bitmap | before)) {
    const last = { ...common, AccessURL: url, Host: host, HostID: item.HostID ?? 0, FirstLink: links.length };
    rowsOf(rows, ordinal).push(linkRow({ ...last, ItemType: itemType.lastLink }));
  }
  return bitmap;
}

function rowsOf(rows: RowsByStore, ordinal: number): LinkRow[] {
  const known = rows.get(ordinal) ?? [];
  rows.set(ordinal, known);
  return known;
}
