import type { Clock } from '../../../base/clock.ts';
import type { Client } from '../../../client/client.ts';
import { updateCrawlStatistics } from '../../../protocols/search/crawls/update-crawl-statistics.ts';
import { updatePropertyStore } from '../../../protocols/search/properties/update-property-store.ts';
import { excludedByRule } from '../fetch/crawl-error.ts';
import { defaultRules } from '../rules/source-rules.ts';
import { commitItems, commitOneByOne } from '../store/commit-items.ts';
import { commitRecord } from '../store/commit-record.ts';
import type { Directory, KnownError } from '../store/directory.ts';
import type { CrawlStore, Farm } from '../store/farm.ts';
import { linksTable } from '../store/links-table.ts';
import { documentUpdate, type KeptDocument, queueType, removal } from '../store/property-records.ts';
import type { SecurityIds } from '../store/security.ts';
import type { ContentSource } from '../store/source-book.ts';
import { adminStage } from '../store/stages.ts';
import type { TextIndex } from '../store/text-index.ts';
import type { RunningCrawl } from './item.ts';
import { addLinks, type RowsByStore } from './link-rows.ts';
import { isAboutValues, notTaken } from './not-taken.ts';
import type { Outcome } from './outcome.ts';
import { counted } from './statistics.ts';

/** The dependencies of a committer. */
export interface CommitterParts {
  readonly component: number;
  readonly store: CrawlStore;
  readonly farm: Farm;
  readonly directory: Directory;
  readonly security: SecurityIds;
  readonly texts: TextIndex;
  readonly clock: Clock;
}

/**
 * Commits the outcomes of items in batches, in an order in which nothing is lost if it is interrupted: first the links
 * and documents, which may be written twice, and finally the items themselves.
 */
export class Committer {
  readonly #in: CommitterParts;
  readonly #crawl: RunningCrawl;
  readonly #joined = new Set<number>();

  constructor(parts: CommitterParts, crawl: RunningCrawl) {
    this.#in = parts;
    this.#crawl = crawl;
    this.#joined.add(parts.store.ordinal);
  }

  /** Commits the outcomes of items; if a database refuses something of a document, only that document fails. */
  async commit(outcomes: readonly Outcome[], source: ContentSource | undefined): Promise<void> {
    try {
      await this.#commit(outcomes, source);
    } catch (error) {
      if (!isAboutValues(error)) throw error;
      const half = outcomes.length >> 1;
      if (half > 0) {
        await this.commit(outcomes.slice(0, half), source);
        await this.commit(outcomes.slice(half), source);
      } else
        await this.#commit(
          outcomes.map(({ item }) => notTaken(item, error)),
          source,
        );
    }
  }

  async #commit(outcomes: readonly Outcome[], source: ContentSource | undefined): Promise<void> {
    const { directory, store, component, farm } = this.#in;
    const rows: RowsByStore = new Map();
    const done: { outcome: Outcome; error: KnownError; linksBitmap: number }[] = [];
    const linking = { crawl: this.#crawl, source, directory };
    for (const outcome of outcomes) {
      const linksBitmap = await addLinks(outcome, linking, rows);
      const error = await directory.error(outcome.hresult);
      // Excluded documents are not kept, whatever the error usually means.
      const marksDelete = error.marksDelete || outcome.hresult === excludedByRule;
      done.push({ outcome, error: { ...error, marksDelete }, linksBitmap });
    }
    await Promise.all([this.#bringLinks(rows), this.#keepDocuments(outcomes)]);
    const starts = new Set(source?.startAddresses.map(({ url }) => url));
    const rules = source?.rules ?? defaultRules;
    const records = done.map(({ outcome, ...rest }) => {
      const isStartAddress = starts.has(outcome.item.AccessURL ?? '');
      return commitRecord(outcome, { crawl: this.#crawl, rules, isStartAddress, ...rest });
    });
    if (farm.isFoundation) await commitOneByOne(store.client, records);
    else await commitItems(store.client, component, records);
    const counters = counted(done);
    await farm.admin.call(updateCrawlStatistics, { ComponentID: component, CrawlID: this.#crawl.id, ...counters });
  }

  /** Sends links to the stores of their hosts, which join the crawl if they have not yet. */
  async #bringLinks(rows: RowsByStore): Promise<void> {
    const { farm } = this.#in;
    await Promise.all(
      [...rows].map(async ([ordinal, links]) => {
        if (!this.#joined.has(ordinal)) {
          await adminStage(farm.admin, 108, { CrawlID: this.#crawl.id, MiscInputData: ordinal });
          this.#joined.add(ordinal);
        }
        await farm.store(ordinal).client.bulkLoad(linksTable, links);
      }),
    );
  }

  async #keepDocuments(outcomes: readonly Outcome[]): Promise<void> {
    const { farm } = this.#in;
    const stores = Map.groupBy(outcomes, ({ item }) => farm.propertyStoreOf(item.DocID));
    for (const [store, own] of stores) if (store !== undefined) await this.#keepIn(store, own);
  }

  async #keepIn(store: Client, outcomes: readonly Outcome[]): Promise<void> {
    const { component: ComponentID, security, texts, clock } = this.#in;
    const gone = outcomes.filter(({ isGone }) => isGone).map(({ item }) => item.DocID);
    const kept = outcomes.flatMap(({ item, document }): KeptDocument[] =>
      document === undefined ? [] : [{ docId: item.DocID, url: item.AccessURL ?? '', document }],
    );
    if (gone.length > 0) {
      const changes = removal(gone);
      await store.call(updatePropertyStore, { trace: 0, ComponentID, queueType: queueType.update, ...changes });
      await texts.remove(gone);
    }
    if (kept.length > 0) {
      const changes = documentUpdate(kept, await security.everybody(store), clock.now());
      await store.call(updatePropertyStore, { trace: 0, ComponentID, queueType: queueType.insert, ...changes });
      await texts.put(kept);
    }
  }
}
