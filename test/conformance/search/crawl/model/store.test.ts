import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/engine/sql.ts';
import { commitTransactions } from '../../../../../src/protocols/search/gather/commit-transactions.ts';
import { crawl } from '../../../../../src/protocols/search/gather/crawl.ts';
import { flushTemp0 } from '../../../../../src/protocols/search/gather/flush-temp0.ts';
import { getNextCrawlBatch } from '../../../../../src/protocols/search/gather/get-next-crawl-batch.ts';
import { unloadTransactions } from '../../../../../src/protocols/search/gather/unload-transactions.ts';
import { searchCrawl } from '../../../../../src/protocols/search/kinds/search-crawl.ts';
import { pack, transactionCommit } from '../../../../../src/protocols/search/records/index.ts';
import type { ResultRow } from '../../../../support/client.ts';
import { type EngineName, openEngine } from '../../../../support/engines.ts';
import { recordOf } from '../farm.ts';
import { agreeing, runs } from './agreeing.ts';
import { byNumbers } from './store/anchors.ts';
import { type Command, command } from './store/commands.ts';
import { StoreHost } from './store/host.ts';
import { CrawlStoreModel, type Item, type LinkKind, type Result } from './store/model.ts';

const page = (url: number) => `http://host/${url}`;
const deleteCrawl = 4;
const lastPage = 'http://host/last';

/** How a client writes a link of each kind. */
const ofLog = { CrawlType: 2, UseChangeLog: 1, ParentProcessChangeLog: 1, ChangeLogBatchID: 1 };
const linkOf: Readonly<Record<LinkKind, Readonly<Record<string, number>>>> = {
  page: {},
  excluded: { hrResult: 0x80040d07 | 0 },
  changed: { ...ofLog, TransactionType: 2 },
  deleted: { ...ofLog, TransactionType: 1 },
  last: { ItemType: 7 },
};

/** An item as it was handed out: to the model, and by the server. */
interface HandedOut {
  readonly component: number;
  readonly item: Item;
  readonly row: ResultRow;
}

const results: Readonly<Record<Result, object>> = {
  success: {},
  error: { ErrorLevel: 2, ErrorID: 9, hrResult: 5 },
  retry: { TransactionStatus: 3 },
  delete: { ErrorLevel: 2, ErrorID: 9, hrResult: 5, MarkDelete: 1 },
};

/** Plays commands to a model and to the server side by side. */
class Game {
  readonly model = new CrawlStoreModel();
  readonly host: StoreHost;
  readonly #handedOut: HandedOut[] = [];

  constructor(host: StoreHost) {
    this.host = host;
  }

  async play(step: Command): Promise<void> {
    const { model, host } = this;
    switch (step.type) {
      case 'bring':
        model.bring(step);
        return host.bring({
          CrawlID: step.crawl,
          AccessURL: step.kind === 'last' ? lastPage : page(step.url),
          SourceDocID: step.source,
          FirstLink: step.url,
          AnchorText: step.text,
          ...linkOf[step.kind],
        });
      case 'flush':
        return this.#flush(step.crawl, step.component);
      case 'batch':
        return this.#batch(step.crawl, step.component, step.size);
      case 'commit':
        return this.#commit(step.component, step.which, step.result);
      case 'unload':
        model.isDisabled(0)
          ? await assert.rejects(host.call(unloadTransactions, { ComponentID: 0, BatchID: BigInt(step.batch) }), {
              number: 50000,
            })
          : await host.call(unloadTransactions, { ComponentID: 0, BatchID: BigInt(step.batch) });
        if (!model.isDisabled(0)) model.unload(step.batch);
        return;
      case 'kill':
        model.kill(step.component);
        await this.#stage(163, { MiscInputData: step.component });
        return;
      case 'revive':
        model.revive(step.component);
        await this.#stage(90, { ComponentID: step.component, MiscInputData: 0 });
        return;
      case 'deleteCrawl': {
        const queued = model.deleteCrawl(deleteCrawl);
        const { MiscOutputData } = await this.#stage(107, {
          CrawlID: deleteCrawl,
          CrawlType: 3,
          ContentSourceID: 1,
          MiscInputData: 0,
        });
        return assert.equal(MiscOutputData, queued);
      }
      case 'incremental': {
        const answer = model.incremental(step.crawl);
        const { MiscOutputData } = await this.#stage(109, { CrawlID: step.crawl, ContentSourceID: 1 });
        return assert.equal(MiscOutputData, answer);
      }
      case 'stop':
        model.stop(step.crawl);
        await this.#stage(115, { CrawlID: step.crawl, ContentSourceID: 1, ProjectID: 1 });
        return;
      case 'complete':
        model.complete(step.crawl, false);
        await this.#stage(149, { CrawlID: step.crawl, ProjectID: 1 });
        return;
      case 'beginAnchors':
        model.anchors.begin(step.crawl);
        await this.#stage(170, { CrawlID: 9, CrawlType: 2, MiscInputData: step.crawl });
        return;
      case 'completeAnchors':
        model.complete(step.crawl, true);
        await this.#stage(149, { CrawlID: step.crawl, ProjectID: 2 });
        return;
      case 'unvisited': {
        const answer = model.unvisited(step.crawl);
        const { MiscOutputData } = await this.#stage(145, {
          CrawlID: step.crawl,
          CrawlType: 1,
          ContentSourceID: 1,
          MiscInputData: 0,
        });
        return assert.equal(MiscOutputData, answer);
      }
      case 'left': {
        const { CrawlStatus } = await this.#stage(141, { CrawlID: step.crawl });
        return assert.equal(CrawlStatus, model.isLeft(step.crawl) ? 4 : 11);
      }
    }
  }

  async #stage(CrawlStage: number, input: object): Promise<Record<string, unknown>> {
    return (await this.host.call(crawl, { CrawlStage, ...input })).output ?? {};
  }

  async #flush(crawlId: number, component: number): Promise<void> {
    const { result, links } = this.model.flush(crawlId, component);
    const reply = await this.host.call(flushTemp0, {
      ComponentID: component,
      FlushProjectID: 1,
      FlushCrawlID: crawlId,
    });
    assert.equal(reply.outcome, result === 1 ? 'done' : 'failed');
    if (result === 1) assert.deepEqual(reply.output, { MoreLinks: false, LinksProcessed: links });
  }

  async #batch(crawlId: number, component: number, size: number): Promise<void> {
    const expected = this.model.batch(crawlId, component, size);
    const asked = { ComponentID: component, ProjectID: 1, CrawlID: crawlId, BatchSize: size };
    if (expected === undefined) return assert.rejects(this.host.call(getNextCrawlBatch, asked), { number: 50000 });
    const { items } = (await this.host.call(getNextCrawlBatch, asked)).sets as { items: ResultRow[] };
    assert.deepEqual(
      items.map((row) => [row['DocID'], row['TransactionType']]),
      expected.map((item) => [item.doc, item.type]),
    );
    for (const [at, item] of expected.entries()) {
      const row = items[at];
      if (row) this.#handedOut.push({ component, item: { ...item }, row });
    }
  }

  /** A component reports one of the last items that it got, whether it still has it or not. */
  async #commit(component: number, which: number, result: Result): Promise<void> {
    const its = this.#handedOut.filter((one) => one.component === component);
    const one = its.at(-1 - which);
    if (one === undefined) return;
    this.model.commit(component, one.item, result);
    const packed = pack(transactionCommit, [{ ...recordOf(one.row), ...results[result] }]);
    await this.host.call(commitTransactions, {
      ComponentID: component,
      DocRows: packed.rows,
      DocFixedSize: transactionCommit.length,
      DocFixedBlob: packed.records,
      DocStrings: packed.text,
      DocBlobs: packed.bytes,
    });
  }

  async check(): Promise<void> {
    const { model } = this;
    assert.deepEqual(await this.host.state(), {
      documents: model.documents
        .toSorted((one, other) => one.id - other.id)
        .map(({ url, isDeleted, usesLog, ...rest }) => ({
          ...rest,
          url: page(url),
          isDeleted: Number(isDeleted),
          usesLog: Number(usesLog),
        })),
      items: model.items.toSorted((one, other) => one.seq - other.seq).map(({ seq: _, ...rest }) => rest),
      links: model.links.map(({ crawl: of, url, kind }) => ({
        crawl: of,
        url: kind === 'last' ? lastPage : page(url),
      })),
      deletedUrls: [...model.deletedUrls].sort().map((url) => ({ url: page(url) })),
      freeIds: [...model.freeIds].sort((one, other) => one - other).map((id) => ({ id })),
    });
    await this.#checkAnchors();
  }

  async #checkAnchors(): Promise<void> {
    const { anchors, targets, sources, committed, deleted, pending, changes } = this.model.anchors;
    const state = await this.host.anchors();
    const inOrder = (all: readonly object[]) => all.map((anchor) => JSON.stringify(anchor)).toSorted();
    assert.deepEqual(
      { ...state, anchors: inOrder(state.anchors) },
      {
        targets: targets.all(),
        sources: sources.all(),
        committed: committed.all(),
        deleted: deleted.all(),
        pending: pending.all(),
        changes: [...changes.values()].map((change) => [...change]).toSorted(byNumbers),
        anchors: inOrder(
          anchors.map(({ source, url, text, target, crawl: of }) => ({
            source,
            url: page(url),
            text,
            target,
            crawl: of,
          })),
        ),
      },
    );
  }
}

async function agree(engine: EngineName, numRuns: number): Promise<void> {
  await using storage = await openEngine(engine, { schemas: [searchCrawl.schema] });
  const database = await storage.create('Store', searchCrawl.name);
  await database.write(async (db) => {
    await db.run(sql`insert into doc_id_chunk (one, first_doc_id, last_doc_id) values (1, 1, 100000)`);
    await db.insert(
      'local_components',
      ['component_id', 'status'],
      [
        [0, 1],
        [1, 1],
      ],
    );
  });
  await agreeing(database, command, (transaction) => new Game(new StoreHost(transaction, 'search-crawl')), numRuns);
}

test(`MS-SQLPGAT2: ${runs.sqlite} random interleavings of components, kills, stops, change logs and anchors agree with a model, on SQLite`, () =>
  agree('sqlite', runs.sqlite));
test(`MS-SQLPGAT2: ${runs.postgres} random interleavings of components, kills, stops, change logs and anchors agree with a model, on PostgreSQL`, () =>
  agree('postgres', runs.postgres));
