import assert from 'node:assert/strict';
import type { Bindable } from '../../../../src/base/stored.ts';
import { updateCrawlStatistics } from '../../../../src/protocols/search/crawls/update-crawl-statistics.ts';
import type { ResultRow } from '../../../support/client.ts';
import type { CrawlFarm, Store, TransactionRecord } from './farm.ts';

/** What a crawl is asked to be. */
export interface Wanted {
  readonly type?: number;
  readonly project?: number;
  readonly contentSource?: number;
  readonly mainCrawl?: number;
}

/** A link as it is found: the crawl adds the rest. */
export interface FoundLink {
  readonly AccessURL: string;
  readonly [attribute: string]: Bindable;
}

/** What a component finds at an item: links, and what became of it. */
export interface Found {
  readonly links?: readonly FoundLink[];
  readonly result?: Partial<TransactionRecord>;
}

/** The world that components crawl: what is found at an access URL. */
export type World = (url: string, item: ResultRow) => Found;

/** Plays the administration, the master and the components of a farm through the stages of a crawl (3.2.5). */
export class Play {
  readonly farm: CrawlFarm;
  readonly id: number;
  readonly #wanted: Required<Wanted>;
  #crawled = 0;
  #deleted = 0;

  private constructor(farm: CrawlFarm, id: number, wanted: Required<Wanted>) {
    this.farm = farm;
    this.id = id;
    this.#wanted = wanted;
  }

  /** The administration asks for a crawl; the master sees it and begins it. */
  static async begin(farm: CrawlFarm, wanted: Wanted = {}): Promise<Play> {
    const all = { type: 1, project: 1, contentSource: 1, mainCrawl: 0, ...wanted };
    const input = { ProjectID: all.project, CrawlType: all.type, ContentSourceID: all.contentSource };
    const { misc } = await farm.stage(100, { ...input, MiscInputData: all.mainCrawl });
    const seen = await farm.rows(`exec proc_MSS_GetCrawls null, ${all.project}, 1`);
    assert.ok(seen.some((row) => row['CrawlID'] === misc && row['Request'] === 1));
    return Play.take(farm, Number(misc), all);
  }

  /** The master begins a crawl that was asked for. */
  static async take(farm: CrawlFarm, id: number, wanted: Wanted): Promise<Play> {
    const all = { type: 1, project: 1, contentSource: 1, mainCrawl: 0, ...wanted };
    await farm.stage(102, { CrawlID: id, CrawlType: all.type, ContentSourceID: all.contentSource });
    return new Play(farm, id, all);
  }

  /** Stores join, and links of start addresses go to the first of them. */
  async addStartAddresses(stores: readonly Store[], ...links: readonly FoundLink[]): Promise<void> {
    for (const store of stores) await this.farm.stage(108, { CrawlID: this.id, MiscInputData: store.ordinal });
    const own = { CrawlID: this.id, CrawlType: this.#wanted.type, ProjectID: this.#wanted.project, ItemType: 1 };
    await stores[0]?.bring(...links.map((link) => ({ ...own, ...link })));
    assert.deepEqual(await this.farm.stage(103, { CrawlID: this.id }), { misc: this.id, status: 1, subStatus: 2 });
  }

  /** The components that have joined. */
  async components(): Promise<number[]> {
    const rows = await this.farm.rows(
      `select ComponentID from CrawlComponentStatus where CrawlID = ${this.id} order by 1`,
    );
    return rows.map((row) => Number(row['ComponentID']));
  }

  /** Every component does its part of a stage, and then the master sees that all have. */
  async all(componentStage: number, masterStage: number): Promise<readonly [unknown, unknown]> {
    for (const ComponentID of await this.components()) {
      await this.farm.stage(componentStage, { CrawlID: this.id, ComponentID });
    }
    const { status, subStatus } = await this.farm.stage(masterStage, { CrawlID: this.id });
    return [status, subStatus];
  }

  async start(): Promise<void> {
    assert.deepEqual(await this.all(106, 104), [4, 1]);
  }

  /** Components work until nothing is left in any store; each item is looked up in the world. Returns the items. */
  async crawl(world: World = () => ({}), size = 10): Promise<ResultRow[]> {
    const done: ResultRow[] = [];
    for (let isBusy = true; isBusy; ) {
      isBusy = false;
      for (const store of this.farm.stores) {
        const component = await this.#componentOf(store);
        if (component === undefined) continue;
        await store.flush(this.id, component, this.#wanted.project);
        const { items } = await store.batch(this.id, { component, size, project: this.#wanted.project });
        for (const item of items) await this.#work(store, component, item, world);
        done.push(...items);
        isBusy ||= items.length > 0 || (await store.stage(141, { CrawlID: this.id })).status === 4;
      }
    }
    return done;
  }

  async #componentOf(store: Store): Promise<number | undefined> {
    const [row] = await this.farm.rows(`
      select top 1 s.ComponentID from CrawlComponentStatus s
      join CrawlComponents c on c.CrawlComponentNumber = s.ComponentID
      where s.CrawlID = ${this.id} and c.CrawlStoreOrdinal = ${store.ordinal}`);
    return row === undefined ? undefined : Number(row['ComponentID']);
  }

  async #work(store: Store, component: number, item: ResultRow, world: World): Promise<void> {
    const isDeletion = item['TransactionType'] === 1;
    const { links = [], result = {} } = isDeletion ? {} : world(String(item['AccessURL']), item);
    const own = {
      CrawlID: this.id,
      CrawlType: this.#wanted.type,
      ProjectID: this.#wanted.project,
      SourceDocID: Number(item['DocID']),
      SourceHostID: Number(item['HostID']),
      StartAddressID: Number(item['StartAddressID']),
    };
    for (const [ordinal, found] of Map.groupBy(
      links,
      (link) => Number(link['HostID'] ?? 1) % this.farm.stores.length,
    )) {
      const target = this.farm.stores[ordinal === 0 ? this.farm.stores.length - 1 : ordinal - 1] ?? store;
      await this.farm.stage(108, { CrawlID: this.id, MiscInputData: target.ordinal });
      await target.bring(...found.map((link, at) => ({ ...own, FirstLink: at, ...link })));
    }
    await store.commit([item], { CrawlType: this.#wanted.type, ...result }, component);
    await this.#count(component, isDeletion);
  }

  /** The component reports what it has done; it is what it has committed. */
  async #count(ComponentID: number, isDeletion: boolean): Promise<void> {
    if (isDeletion) this.#deleted++;
    else this.#crawled++;
    await this.farm.admin.call(updateCrawlStatistics, {
      ComponentID,
      CrawlID: this.id,
      SuccessCount: isDeletion ? 0 : 1,
      WarningCount: 0,
      ErrorCount: 0,
      DeleteCount: isDeletion ? 1 : 0,
      NotModifiedCount: 0,
      SecurityOnlyCount: 0,
      SecurityOnlyErrorCount: 0,
      LevelHighErrorCount: 0,
      RetryCount: 0,
    });
  }

  async #checkCounters(): Promise<void> {
    const [counted] = await this.farm.rows(`
      select sum(SuccessCount) as crawled, sum(DeleteCount) as deleted from CrawlComponentStatus where CrawlID = ${this.id}`);
    assert.deepEqual(counted, { crawled: this.#crawled, deleted: this.#deleted }, 'counters equal what was committed');
  }

  /** From the end of crawling to Done, with the deletion of what was not visited; returns the items that were deleted. */
  async finish(): Promise<ResultRow[]> {
    const { farm, id } = this;
    const isPlain = this.#wanted.project === 1 && this.#wanted.type !== 3;
    assert.deepEqual(await this.all(142, 140), [4, isPlain ? 2 : 4]);
    let deleted: ResultRow[] = [];
    if (isPlain) {
      for (const store of farm.stores) {
        await store.stage(145, {
          CrawlID: id,
          CrawlType: this.#wanted.type,
          ContentSourceID: this.#wanted.contentSource,
        });
      }
      assert.equal((await farm.stage(144, { CrawlID: id })).subStatus, 3);
      deleted = await this.crawl();
      assert.deepEqual(await this.all(142, 140), [4, 4]);
    }
    for (const store of farm.stores) assert.equal((await store.stage(151, { CrawlID: id })).misc, 1);
    await farm.stage(150, { CrawlID: id });
    assert.deepEqual(await this.all(147, 146), [14, 2]);
    for (const store of farm.stores) await store.stage(149, { CrawlID: id, ProjectID: this.#wanted.project });
    assert.deepEqual(await farm.stage(152, { CrawlID: id }), { misc: id, status: 14, subStatus: 4 });
    const ended = await farm.stage(148, { CrawlID: id, ProjectID: this.#wanted.project });
    assert.deepEqual(ended, { misc: id, status: 11, subStatus: 0 });
    await this.#checkCounters();
    return deleted;
  }
}

/** The URLs of the history that are not to be deleted, with the crawl that committed each. */
export async function committedIn(...stores: readonly Store[]): Promise<Record<string, unknown>> {
  const rows = await Promise.all(
    stores.map((store) => store.rows('select AccessURL, CommitCrawlID from CrawlUrlHistory where DeletePending = 0')),
  );
  return Object.fromEntries(rows.flat().map((row) => [String(row['AccessURL']), row['CommitCrawlID']]));
}
