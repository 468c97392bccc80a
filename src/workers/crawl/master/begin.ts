import { crawlRequest, crawlStatus, crawlType, project } from '../../../protocols/search/crawls/crawl-status.ts';
import { getDeleteCrawl } from '../../../protocols/search/crawls/get-delete-crawl.ts';
import { itemType } from '../../../protocols/search/gather/values.ts';
import { anchorUrl } from '../component/anchors.ts';
import type { Directory } from '../store/directory.ts';
import type { CrawlStore, Farm } from '../store/farm.ts';
import { type LinkRow, linkRow, linksTable } from '../store/links-table.ts';
import { adminStage, storeStage } from '../store/stages.ts';
import { hostOf } from '../url/normal-url.ts';
import type { ListedCrawl } from './listed-crawl.ts';

/** Starts requested crawls: everything up to stage 103 (3.2.5.1 to 3.2.5.4). All of it is idempotent. */
export class Beginning {
  readonly #farm: Farm;
  readonly #directory: Directory;

  constructor(farm: Farm, directory: Directory) {
    this.#farm = farm;
    this.#directory = directory;
  }

  /** Starts a crawl; `others` are those in progress. */
  async begin(crawl: ListedCrawl, others: readonly ListedCrawl[]): Promise<void> {
    const isBegun = crawl.Status === crawlStatus.initializing;
    if (!isBegun && others.some((other) => holdsUp(other, crawl))) return;
    const isForbidden = !isBegun && others.some((other) => forbids(other, crawl));
    if (!isForbidden) await this.#queueKnown(crawl);
    if (!isBegun && (await this.#take(crawl)) === crawlStatus.forbid) return;
    const isThere = await this.#addStarts(crawl);
    await adminStage(this.#farm.admin, isThere ? 103 : 105, { CrawlID: crawl.CrawlID });
    if (!isThere) await this.#takeBack(crawl);
  }

  /** Stage 102: the crawl starts, or is forbidden. */
  async #take({ CrawlID, CrawlType, ContentSourceID }: ListedCrawl): Promise<number> {
    return (await adminStage(this.#farm.admin, 102, { CrawlID, CrawlType, ContentSourceID })).status;
  }

  /** What is queued before the crawl starts: what an incremental crawl checks again, what an anchor crawl processes. */
  async #queueKnown(crawl: ListedCrawl): Promise<void> {
    const { CrawlID, CrawlType, ContentSourceID, MainCrawlID } = crawl;
    for (const store of this.#farm.stores) {
      if (crawl.project === project.anchor) {
        await storeStage(store.client, 170, { CrawlID, CrawlType, MiscInputData: MainCrawlID });
      } else if (CrawlType === crawlType.incremental) {
        const { misc } = await storeStage(store.client, 109, { CrawlID, ContentSourceID });
        if (misc === 1) await this.#join(crawl, store.ordinal);
      }
    }
  }

  #join({ CrawlID }: ListedCrawl, ordinal: number) {
    return adminStage(this.#farm.admin, 108, { CrawlID, MiscInputData: ordinal });
  }

  async #takeBack({ CrawlID, ContentSourceID, project: ProjectID }: ListedCrawl): Promise<void> {
    for (const { client } of this.#farm.stores) await storeStage(client, 115, { CrawlID, ContentSourceID, ProjectID });
  }

  /** Queues the start addresses of the crawl; false if there are none. */
  #addStarts(crawl: ListedCrawl): Promise<boolean> {
    if (crawl.project === project.anchor) return this.#addAnchorLinks(crawl);
    return crawl.CrawlType === crawlType.delete ? this.#queueDeletions(crawl) : this.#addStartAddresses(crawl);
  }

  async #addStartAddresses(crawl: ListedCrawl): Promise<boolean> {
    await this.#farm.sources.refresh(0);
    const source = await this.#farm.sources.source(crawl.ContentSourceID);
    for (const { id, url } of source?.startAddresses ?? []) {
      const host = hostOf(url);
      const { store, id: HostID } = await this.#directory.host(host);
      await this.#join(crawl, store);
      const start = { AccessURL: url, Host: host, HostID, StartAddressID: id, ItemType: itemType.startAddress };
      await this.#bring(this.#farm.store(store), linkRow({ ...common(crawl), ...start }));
    }
    return (source?.startAddresses.length ?? 0) > 0;
  }

  async #queueDeletions(crawl: ListedCrawl): Promise<boolean> {
    const { CrawlID, CrawlType } = crawl;
    const { sets } = await this.#farm.admin.call(getDeleteCrawl, { CrawlID });
    for (const { ContentSourceID, StartAddressID } of sets.wanted) {
      for (const { client, ordinal } of this.#farm.stores) {
        const what = { CrawlID, CrawlType, ContentSourceID, MiscInputData: StartAddressID };
        const { misc } = await storeStage(client, 107, what);
        if (misc > 0) await this.#join(crawl, ordinal);
      }
    }
    return true;
  }

  async #addAnchorLinks(crawl: ListedCrawl): Promise<boolean> {
    for (const store of this.#farm.stores) {
      await this.#join(crawl, store.ordinal);
      const anchor = { AccessURL: anchorUrl(0), Host: '', HostID: 0, ItemType: itemType.anchorLink };
      await this.#bring(store, linkRow({ ...common(crawl), ...anchor, ProjectID: project.anchor }));
    }
    return true;
  }

  async #bring({ client }: CrawlStore, link: LinkRow): Promise<void> {
    await client.bulkLoad(linksTable, [link]);
  }
}

const common = ({ CrawlID, CrawlType, ContentSourceID }: ListedCrawl) => ({ CrawlID, CrawlType, ContentSourceID });

/** Whether a crawl is another one of the same content source, and finds documents. */
const findsForSame = (other: ListedCrawl, crawl: ListedCrawl): boolean =>
  other.CrawlID !== crawl.CrawlID &&
  other.project === crawl.project &&
  other.ContentSourceID === crawl.ContentSourceID &&
  other.CrawlType !== crawlType.delete;

/** Whether stage 102 will forbid a crawl because of another one, whose queue it must not touch. */
const forbids = (other: ListedCrawl, crawl: ListedCrawl): boolean =>
  crawl.CrawlType !== crawlType.delete && findsForSame(other, crawl);

/** Whether a delete crawl has to wait for another one that is about to stop, and would not delete what that commits. */
const holdsUp = (other: ListedCrawl, crawl: ListedCrawl): boolean =>
  crawl.CrawlType === crawlType.delete &&
  findsForSame(other, crawl) &&
  (other.Request === crawlRequest.stop || other.Status === crawlStatus.stopping);
