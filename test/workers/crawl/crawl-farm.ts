import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonLog, type Log } from '../../../src/base/log/log.ts';
import { Client, type ClientOptions } from '../../../src/client/client.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { orNull } from '../../../src/procedure/declare.ts';
import { crawlStatus } from '../../../src/protocols/search/crawls/crawl-status.ts';
import { searchAdmin } from '../../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../../src/protocols/search/kinds/search-property.ts';
import { addContentSource } from '../../../src/protocols/search/topology/content-sources.ts';
import { addCrawlComponent, addCrawlStore, addPropertyStore } from '../../../src/protocols/search/topology/topology.ts';
import { int, nvarchar } from '../../../src/tds/types/index.ts';
import { Administration, type CrawlKind } from '../../../src/workers/crawl/administration.ts';
import { type ComponentOptions, CrawlComponent } from '../../../src/workers/crawl/component/crawl-component.ts';
import { Master } from '../../../src/workers/crawl/master/master.ts';
import type { SourceRules } from '../../../src/workers/crawl/rules/source-rules.ts';
import type { EngineName } from '../../support/engines.ts';
import { password, startServer, type TestServer } from '../../support/server.ts';
import { usualOptions } from './usual-options.ts';

const log: Log = jsonLog(
  (line) => process.stderr.write(line),
  process.env['CRAWL_LOG'] === undefined ? 'warn' : 'debug',
);

/** A document as the history of a crawl store has it. */
export interface HistoryRow {
  readonly url: string;
  readonly crawl: number;
  readonly index: number;
  readonly level: number;
  readonly error: number;
}

const history = { url: orNull(nvarchar(1500)), crawl: int, index: orNull(int), level: int, error: int };

/** A farm with its databases and roles, for tests of the crawler. */
export class CrawlFarm implements AsyncDisposable {
  readonly admin: Client;
  readonly stores: readonly Client[];
  readonly properties: Client;
  readonly administration: Administration;
  readonly #roles: { start(): Promise<void>; stop(): Promise<void> }[] = [];

  constructor(admin: Client, stores: readonly string[], properties: string) {
    this.admin = admin;
    this.stores = stores.map((name) => admin.database(name));
    this.properties = admin.database(properties);
    this.administration = new Administration(admin);
  }

  /** Makes the databases of a farm on a server: crawl stores with so many components each, and one property store. */
  static async on(server: TestServer, name: string, components: readonly number[]): Promise<CrawlFarm> {
    const made = await makeDatabases(server.granary.engine, name, components);
    return new CrawlFarm(clientOf(server, made.admin), made.stores, made.properties);
  }

  /** Adds a content source. */
  async addSource(
    server: TestServer,
    name: string,
    urls: readonly string[],
    rules: Partial<SourceRules>,
  ): Promise<number> {
    const id = await makeSource(server.granary.engine, this.admin.databaseName, name, urls);
    await this.administration.setRules(id, { interval: 0, ...rules });
    return id;
  }

  /** Starts components, each with the master that it may be. */
  async startRoles(numbers: readonly number[], options: Partial<ComponentOptions> = {}): Promise<void> {
    for (const number of numbers) {
      const component = new CrawlComponent({ admin: this.admin, log, number, ...usualOptions, ...options });
      const master = new Master({ admin: this.admin, log, number, pollInterval: 20, heartbeat: 500, silence: 5 });
      this.#roles.push(component, master);
      await component.start();
      await master.start();
    }
  }

  async stopRoles(): Promise<void> {
    await Promise.all(this.#roles.splice(0).map((role) => role.stop()));
  }

  /** Asks for a crawl and waits until it, and the anchor crawl behind it, are over. */
  async crawl(source: number, kind: CrawlKind, { seconds = 300, force = false } = {}): Promise<number> {
    const id = await this.administration.start(source, kind, { force });
    await this.untilOver(id, seconds);
    return id;
  }

  async untilOver(id: number, seconds = 300): Promise<void> {
    const until = Date.now() + seconds * 1000;
    for (;;) {
      const rows = await this.admin.select(
        { id: int, status: int, sub: int },
        'select CrawlID as id, Status as status, SubStatus as sub from CrawlStatus where CrawlID >= @id',
        { id },
        { idempotent: true },
      );
      const open = rows.filter(
        ({ status }) => ![crawlStatus.done, crawlStatus.stopped, crawlStatus.forbid].some((each) => each === status),
      );
      if (rows.length > 0 && open.length === 0) return;
      if (Date.now() > until) {
        const words = await this.admin.query('select * from CrawlProgress');
        assert.fail(`crawl ${id} is not over: ${JSON.stringify([words.sets, rows])}`);
      }
      await delay(30);
    }
  }

  /** What the stores know of URLs. */
  async history(): Promise<HistoryRow[]> {
    const rows = await Promise.all(
      this.stores.map((store) =>
        store.select(
          history,
          `select AccessURL as url, CommitCrawlID as crawl, IndexType as [index], ErrorLevel as level, ErrorID as error
           from CrawlUrlHistory where DeletePending = 0`,
        ),
      ),
    );
    return rows.flat().map(({ url, index, ...row }) => ({ ...row, url: url ?? '', index: index ?? 0 }));
  }

  /** The URLs that can be found. */
  async found(): Promise<Set<string>> {
    const rows = await this.history();
    return new Set(
      rows.filter(({ index, level, crawl }) => index === 1 && level < 2 && crawl > 0).map(({ url }) => url),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopRoles();
    await this.admin.close();
  }
}

/** Makes the databases of a farm; returns their names. */
export async function makeDatabases(engine: Engine, name: string, components: readonly number[]) {
  const admin = await engine.create(`Admin${name}`, searchAdmin.name);
  const properties = await engine.create(`Property${name}`, searchProperty.name);
  await admin.write((db) => addPropertyStore(db, properties.name));
  const stores: string[] = [];
  for (const [place, count] of components.entries()) {
    const store = await engine.create(`Crawl${name}_${place}`, searchCrawl.name);
    stores.push(store.name);
    const ordinal = await admin.write((db) => addCrawlStore(db, store.name));
    for (let made = 0; made < count; made++) await admin.write((db) => addCrawlComponent(db, ordinal));
  }
  return { admin: admin.name, stores, properties: properties.name };
}

/** Makes a content source; returns its identifier. */
export async function makeSource(
  engine: Engine,
  admin: string,
  name: string,
  urls: readonly string[],
): Promise<number> {
  const database = await engine.open(admin);
  assert.ok(database);
  return database.write((db) => addContentSource(db, name, urls));
}

/** A client of one of its databases, as sa. */
export const clientOf = (server: TestServer, database: string, retry: ClientOptions['retry'] = {}): Client =>
  Client.create({ host: '127.0.0.1', port: server.port, user: 'sa', password, encryption: 'off', database, retry });

export const startCrawlServer = (engine: EngineName): Promise<TestServer> =>
  startServer({ engine, kinds: [searchAdmin, searchCrawl, searchProperty] });

/** Compares two sets so that a difference is readable. */
export function assertSame(actual: ReadonlySet<string>, expected: ReadonlySet<string>, what: string): void {
  const missing = [...expected.difference(actual)].slice(0, 20);
  const extra = [...actual.difference(expected)].slice(0, 20);
  assert.deepEqual({ missing, extra, count: actual.size }, { missing: [], extra: [], count: expected.size }, what);
}
