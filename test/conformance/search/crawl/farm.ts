import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Clock, ManualClock } from '../../../../src/base/clock.ts';
import type { Database } from '../../../../src/engine/db.ts';
import { crawlAdmin } from '../../../../src/protocols/search/crawls/crawl-admin.ts';
import { getNextDocIDChunk } from '../../../../src/protocols/search/crawls/get-next-doc-id-chunk.ts';
import { commitTransactions } from '../../../../src/protocols/search/gather/commit-transactions.ts';
import { crawl } from '../../../../src/protocols/search/gather/crawl.ts';
import { flushTemp0 } from '../../../../src/protocols/search/gather/flush-temp0.ts';
import { getNextCrawlBatch } from '../../../../src/protocols/search/gather/get-next-crawl-batch.ts';
import { processCommitted } from '../../../../src/protocols/search/gather/process-committed.ts';
import { search } from '../../../../src/protocols/search/kinds/search.ts';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../../../src/protocols/search/kinds/search-crawl.ts';
import { pack, type RecordValue, transactionCommit } from '../../../../src/protocols/search/records/index.ts';
import { addCrawlComponent, addCrawlStore } from '../../../../src/protocols/search/topology/topology.ts';
import type { Answer, ResultRow, TestClient } from '../../../support/client.ts';
import { type EngineName, forEachEngine } from '../../../support/engines.ts';
import { startServer, type TestServer } from '../../../support/server.ts';
import { checkInvariants } from './invariants.ts';
import { bringLinks, hashOf, type TestLink } from './link.ts';

/** The inputs of a stage; what is left out is NULL. */
export interface StageInput {
  readonly ComponentID?: number;
  readonly ProjectID?: number;
  readonly CrawlType?: number;
  readonly CrawlID?: number;
  readonly ContentSourceID?: number;
  readonly MiscInputData?: number;
}

const nothing = {
  ComponentID: null,
  ProjectID: null,
  CrawlType: null,
  CrawlID: null,
  ContentSourceID: null,
  ApplicationType: 0,
  MiscInputData: null,
};

/** What the outputs of a stage were. */
export interface StageOutput {
  readonly misc: unknown;
  readonly status: unknown;
  readonly subStatus: unknown;
}

const outputsOf = ({ output }: Answer): StageOutput => ({
  misc: output['MiscOutputData'],
  status: output['CrawlStatus'],
  subStatus: output['CrawlSubStatus'],
});

export type TransactionRecord = RecordValue<(typeof transactionCommit)['fields']>;

/** A crawl store with a connection of a component to it. */
export class Store {
  readonly client: TestClient;
  readonly database: Database;
  readonly ordinal: number;
  readonly #admin: TestClient;

  constructor(client: TestClient, database: Database, ordinal: number, admin: TestClient) {
    this.client = client;
    this.database = database;
    this.ordinal = ordinal;
    this.#admin = admin;
  }

  /** proc_MSS_Crawl, which returns 1. */
  async stage(stage: number, input: StageInput = {}): Promise<StageOutput> {
    const answer = await this.client.call(crawl, { ...nothing, CrawlStage: stage, ...input });
    assert.deepEqual([answer.status, answer.sets], [1, []]);
    return outputsOf(answer);
  }

  bring(...links: readonly TestLink[]): Promise<void> {
    return bringLinks(this.client, links);
  }

  flushOnce(crawlId: number, more: object = {}): Promise<Answer> {
    return this.client.callLoosely(flushTemp0, {
      ComponentID: 0,
      FlushProjectID: 1,
      FlushCrawlID: crawlId,
      LogDiscoveredLinks: 0,
      ApplicationType: 1,
      NextDocID: 0,
      MaxDocID: 0,
      ...more,
    });
  }

  /** Takes in all links of a crawl as a component does, with document identifiers where they are needed. */
  async flush(crawlId: number, component = 0, project = 1): Promise<number> {
    let links = 0;
    let chunk: object = {};
    for (;;) {
      const answer = await this.flushOnce(crawlId, { ComponentID: component, FlushProjectID: project, ...chunk });
      if (answer.status === 2) {
        const { output } = await this.#admin.call(getNextDocIDChunk, {
          GthrDBID: this.ordinal,
          CurrentMaxDocID: Number(answer.output['MaxDocID']),
        });
        chunk = { NextDocID: output['NewNextDocID'], MaxDocID: output['NewMaxDocID'] };
        continue;
      }
      assert.equal(answer.status, 1);
      chunk = {};
      links += Number(answer.output['LinksProcessed']);
      if (answer.output['MoreLinks'] !== true) return links;
    }
  }

  async batch(crawlId: number, { component = 0, size = 100, project = 1 } = {}): Promise<Batch> {
    const answer = await this.client.call(getNextCrawlBatch, {
      ComponentID: component,
      ProjectID: project,
      CrawlID: crawlId,
      BatchSize: size,
    });
    assert.equal(answer.status, 1);
    return { id: BigInt(String(answer.output['BatchID'])), items: answer.sets[0] ?? [] };
  }

  /** Commits items as a component does: what became of them, by what differs from plain success. */
  async commit(items: readonly ResultRow[], more: Partial<TransactionRecord> = {}, component = 0): Promise<void> {
    const records = items.map((item) => ({ ...recordOf(item), ...more }));
    if (this.database.kind === 'search') {
      for (const record of records) await this.#commitOne(record);
      return;
    }
    const packed = pack(transactionCommit, records);
    await this.client.call(commitTransactions, {
      ComponentID: component,
      ApplicationType: 0,
      DocRows: packed.rows,
      DocFixedSize: transactionCommit.length,
      DocFixedBlob: packed.records,
      DocStrings: packed.text,
      DocBlobs: packed.bytes,
    });
  }

  /** The Foundation role has no packed records. */
  async #commitOne({ UseSecurityInfo: _, MarkDelete, ...record }: TransactionRecord): Promise<void> {
    const input = { ...record, MarkDelete: MarkDelete !== 0, FolderDelCount: 0, ApplicationType: 0 };
    await this.client.call(processCommitted, input);
  }

  /** The rows of a query over what clients may read. */
  async rows(query: string): Promise<ResultRow[]> {
    return (await this.client.batch(query)).sets[0] ?? [];
  }
}

export interface Batch {
  readonly id: bigint;
  readonly items: readonly ResultRow[];
}

/** What a component reports of an item that it crawled without trouble. */
export function recordOf(item: ResultRow): TransactionRecord {
  const whole = (name: string): number => Number(item[name] ?? 0);
  const words = (name: string): string | null => (item[name] === null ? null : String(item[name]));
  return {
    DocID: whole('DocID'),
    CrawlID: whole('CrawlID'),
    CrawlType: 1,
    TransactionType: whole('TransactionType'),
    Scope: whole('Scope'),
    TransactionFlags: whole('TransactionFlags'),
    CompactURL: words('CompactURL'),
    CompactHash: hashOf(words('CompactURL') ?? ''),
    ParentCompactURL: null,
    ParentCompactHash: 0,
    DisplayURL: words('DisplayURL'),
    DisplayHash: hashOf(words('DisplayURL') ?? ''),
    LastModifiedTime: 0n,
    EndPathFlag: 0,
    PropMD5: 0,
    MD5: 7,
    HostDepth: whole('HostDepth'),
    EnumerationDepth: whole('EnumerationDepth'),
    RetryCount: 0,
    DelayRetryCount: 0,
    IndexType: 1,
    SeqID: BigInt(String(item['SeqID'])),
    UseChangeLog: whole('UseChangeLog'),
    ChangeLogBatchID: 0,
    ChangeLogCookie: null,
    ChangeLogCookieType: 0,
    ErrorDesc: null,
    hrResult: 0,
    DocPropsMD5: 0n,
    DocPropsBlob: null,
    TransactionStatus: 90,
    ErrorID: 0,
    ErrorLevel: 0,
    MarkDelete: 0,
    LinksBitmap: 1,
    Title: 'Title',
    TitleLCID: 1033,
    SecurityId: null,
    PHFlags: 0,
    UseSecurityInfo: 0,
    ProtocolLength: 0,
    LogLevel: 0,
    ErrorSource: 0,
    RecrawlErrorCount: 5,
    RecrawlErrorInterval: 24,
    ErrorIntervalAllowed: 24,
    ErrorCountAllowed: 5,
    ErrorDeleteCountAllowed: 3,
    ErrorDeleteIntervalAllowed: 24,
    ChangeLogCookieEnd: null,
    ChildSecurityBlob: null,
  };
}

/** An administration database and its crawl stores. */
export interface CrawlFarm {
  readonly admin: TestClient;
  readonly adminDatabase: Database;
  readonly stores: readonly Store[];
  /** The first store: for tests that need one. */
  readonly store: Store;
  readonly clock: ManualClock;
  /** proc_MSS_CrawlAdmin, which returns 0. */
  stage(stage: number, input?: StageInput): Promise<StageOutput>;
  /** The rows of a query over the administration database. */
  rows(query: string): Promise<ResultRow[]>;
  /** A further connection to a crawl store. */
  connect(store: Store): Promise<TestClient>;
}

/** How a farm is laid out: the components of each store, and whether it is the one database of the Foundation role. */
export interface Layout {
  readonly components?: readonly number[];
  readonly isFoundation?: boolean;
}

export type WithFarm = (work: (farm: CrawlFarm) => Promise<void>, layout?: Layout) => Promise<void>;

/** Runs a suite for each engine, each test on databases of its own whose invariants hold when it ends. */
export function forEachCrawlFarm(suite: (withFarm: WithFarm, engine: EngineName) => void): void {
  forEachEngine((engine) => suite(farmsOn(engine), engine));
}

/** What most suites need. */
const spares = { 'search-admin': 8, 'search-crawl': 8, search: 1 };

function farmsOn(engine: EngineName): WithFarm {
  let clock = new ManualClock();
  const present: Clock = { now: () => clock.now() };
  let server: Promise<TestServer> | undefined;
  after(async () => (await server)?.[Symbol.asyncDispose]());
  return async (work, { components = [1], isFoundation = false } = {}) => {
    server ??= startServer({ engine, kinds: [searchAdmin, searchCrawl, search], clock: present, spares });
    clock = new ManualClock();
    await using clients = new AsyncDisposableStack();
    const make = isFoundation ? buildFoundation : build;
    const farm = await make(await server, components, clients);
    await work({ ...farm, clock });
    for (const store of farm.stores) await checkInvariants(store);
  };
}

async function build(server: TestServer, components: readonly number[], clients: AsyncDisposableStack) {
  const adminDatabase = await server.newDatabase('search-admin');
  const admin = clients.use(await server.connect(adminDatabase.name));
  const stores: Store[] = [];
  for (const count of components) {
    const database = await server.newDatabase('search-crawl');
    stores.push(await newStore(server, { admin, adminDatabase, database, count }, clients));
  }
  return farmOf(server, admin, adminDatabase, stores, clients);
}

/** The one database of the Foundation role, with its one component. */
async function buildFoundation(server: TestServer, _: readonly number[], clients: AsyncDisposableStack) {
  const database = await server.newDatabase('search');
  const admin = clients.use(await server.connect(database.name));
  const store = await newStore(server, { admin, adminDatabase: database, database, count: 1 }, clients);
  return farmOf(server, admin, database, [store], clients);
}

interface NewStore {
  readonly admin: TestClient;
  readonly adminDatabase: Database;
  readonly database: Database;
  /** How many components work for it. */
  readonly count: number;
}

async function newStore(
  server: TestServer,
  { admin, adminDatabase, database, count }: NewStore,
  clients: AsyncDisposableStack,
): Promise<Store> {
  const ordinal = await adminDatabase.write((db) => addCrawlStore(db, database.name));
  const store = new Store(clients.use(await server.connect(database.name)), database, ordinal, admin);
  for (let made = 0; made < count; made++) {
    const number = await adminDatabase.write((db) => addCrawlComponent(db, ordinal));
    await store.stage(93, { ComponentID: number });
  }
  return store;
}

function farmOf(
  server: TestServer,
  admin: TestClient,
  adminDatabase: Database,
  stores: readonly Store[],
  clients: AsyncDisposableStack,
) {
  const [store] = stores;
  assert.ok(store);
  const stage = async (number: number, input: StageInput = {}) => {
    const answer = await admin.call(crawlAdmin, { ...nothing, CrawlStage: number, ...input });
    assert.deepEqual([answer.status, answer.sets], [0, []]);
    return outputsOf(answer);
  };
  const rows = async (query: string) => (await admin.batch(query)).sets[0] ?? [];
  const connect = async ({ database }: Store) => clients.use(await server.connect(database.name));
  return { admin, adminDatabase, stores, store, stage, rows, connect };
}
