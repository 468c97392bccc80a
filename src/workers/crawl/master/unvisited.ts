import { orNull } from '../../../procedure/declare.ts';
import { crawlType } from '../../../protocols/search/crawls/crawl-status.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';
import { defaultRules } from '../rules/source-rules.ts';
import type { CrawlStore, Farm } from '../store/farm.ts';
import { readSetting, removeSetting, settingNames, writeSetting } from '../store/settings.ts';
import type { ListedCrawl } from './listed-crawl.ts';

/** What the unvisited pass of a crawl would delete. */
export interface Unvisited {
  /** Documents of the content source. */
  readonly documents: number;
  /** Those of them that the crawl has not reached. */
  readonly unvisited: number;
  /** The first of their URLs. */
  readonly urls: readonly string[];
  /** True if the crawl waits until an operator allows it to delete them, or stops it. */
  readonly isHeld: boolean;
}

const mostUrls = 10;
/** The most characters of a URL to show. */
const longestUrl = 250;

/** Determines what a crawl would delete, stores that for display, and returns whether it may. */
export async function mayDeleteUnvisited(farm: Farm, crawl: ListedCrawl): Promise<boolean> {
  const found = await lookAt(farm, crawl);
  const source = await farm.sources.source(crawl.ContentSourceID);
  const share = source?.rules.deleteShare ?? defaultRules.deleteShare;
  const isMuch = found.unvisited * 100 > found.documents * share;
  const isForced = isMuch && (await readSetting(farm.admin, settingNames.force(crawl.CrawlID))) !== undefined;
  const unvisited: Unvisited = { ...found, isHeld: isMuch && !isForced };
  await writeSetting(farm.admin, settingNames.unvisited(crawl.CrawlID), JSON.stringify(unvisited));
  return !unvisited.isHeld;
}

/**
 * The stored result of the last check, or undefined before the first. An approval takes effect before the next check.
 */
export async function readUnvisited(farm: Pick<Farm, 'admin'>, crawl: number): Promise<Unvisited | undefined> {
  const kept = await readSetting(farm.admin, settingNames.unvisited(crawl));
  if (kept === undefined) return undefined;
  const unvisited: Unvisited = JSON.parse(kept);
  if (!unvisited.isHeld) return unvisited;
  const isForced = (await readSetting(farm.admin, settingNames.force(crawl))) !== undefined;
  return { ...unvisited, isHeld: !isForced };
}

/** Deletes the stored result of a crawl that has ended. */
export async function forgetCrawl({ admin }: Farm, crawl: number): Promise<void> {
  await removeSetting(admin, settingNames.unvisited(crawl));
  await removeSetting(admin, settingNames.force(crawl));
}

async function lookAt(farm: Farm, crawl: ListedCrawl): Promise<Omit<Unvisited, 'isHeld'>> {
  let [documents, unvisited] = [0, 0];
  const urls: string[] = [];
  for (const store of farm.stores) {
    const found = await lookInto(store, crawl, mostUrls - urls.length);
    documents += found.documents;
    unvisited += found.unvisited;
    urls.push(...found.urls);
  }
  return { documents, unvisited, urls };
}

async function lookInto({ client }: CrawlStore, { CrawlID, CrawlType, ContentSourceID }: ListedCrawl, most: number) {
  const ofSource = 'from CrawlUrlHistory where ContentSourceID = @source and DeletePending = 0';
  // An incremental crawl deletes only what a folder that it has read no longer lists.
  const isIncremental = CrawlType === crawlType.incremental;
  const missed = `${ofSource} and CommitCrawlID < @crawl ${isIncremental ? 'and ParentUpdateCrawlID = @crawl' : ''}`;
  const given = { source: ContentSourceID, crawl: CrawlID };
  const count = async (which: string): Promise<number> => {
    const [row] = await client.select({ n: int }, `select count(*) as n ${which}`, given, { idempotent: true });
    return row?.n ?? 0;
  };
  const unvisited = await count(missed);
  const shown =
    unvisited === 0 || most === 0
      ? []
      : await client.select({ url: orNull(nvarchar(4000)) }, `select top ${most} DisplayURL as url ${missed}`, given);
  return {
    documents: await count(ofSource),
    unvisited,
    urls: shown.map(({ url }) => (url ?? '').slice(0, longestUrl)),
  };
}
