import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '../../src/base/log/log.ts';
import type { Client } from '../../src/client/client.ts';
import { crawlStatus } from '../../src/protocols/search/crawls/crawl-status.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { addContentSource } from '../../src/protocols/search/topology/content-sources.ts';
import { Administration, CrawlComponent, type Fetcher, Master } from '../../src/workers/crawl/index.ts';
import { databaseOf } from './fill/store.ts';
import type { Bench } from './scenario.ts';
import { BenchServer } from './server.ts';

/** A server with one content source, and the roles that crawl it in this process. */
export class CrawlBench implements AsyncDisposable {
  readonly server: BenchServer;
  readonly admin: Client;
  readonly #administration: Administration;
  readonly #source: number;
  readonly #cleanUp: AsyncDisposableStack;

  private constructor(server: BenchServer, admin: Client, source: number, cleanUp: AsyncDisposableStack) {
    this.server = server;
    this.admin = admin;
    this.#administration = new Administration(admin);
    this.#source = source;
    this.#cleanUp = cleanUp;
  }

  /** Starts the server, a master and a component that makes so many requests at a time. */
  static async start(
    { engine, profiles }: Bench,
    urls: readonly string[],
    concurrency: number,
    fetcher?: Fetcher,
  ): Promise<CrawlBench> {
    await using cleanUp = new AsyncDisposableStack();
    let source = 0;
    const fill: Parameters<typeof BenchServer.start>[0]['fill'] = async (made) => {
      const admin = await databaseOf(made, searchAdmin.firstDatabase);
      source = await admin.write((db) => addContentSource(db, 'site', urls));
    };
    const server = cleanUp.use(await BenchServer.start({ engine, profiles, fill }));
    const admin = cleanUp.use(await server.connect(searchAdmin.firstDatabase));
    const own = { admin, number: 0, log: silentLog, pollInterval: 20, heartbeat: 5000 };
    await cleanUp.use(new Master({ ...own, silence: 5 })).start();
    const http = { userAgent: 'Granary/0 (bench)', connectTimeout: 5000, timeout: 30_000, largest: 1 << 24 };
    const reader = { timeout: 10_000, memory: 256 };
    const given = { ...own, concurrency, batchSize: 200, http, reader, ...(fetcher && { fetcher }) };
    await cleanUp.use(new CrawlComponent(given)).start();
    const bench = new CrawlBench(server, admin, source, cleanUp.move());
    await bench.#administration.setRules(source, { interval: 0 });
    return bench;
  }

  /** Crawls the source from the request to the end. */
  async crawl(onLook: (documents: number) => void = () => {}): Promise<void> {
    const crawl = await this.#administration.start(this.#source, 'full');
    for (let looks = 1; (await this.#administration.state(crawl))?.status !== crawlStatus.done; looks++) {
      await delay(20);
      if (looks % 50 === 0) onLook(await this.documents());
    }
  }

  /** How many documents were crawled. */
  async documents(): Promise<number> {
    const { sets } = await this.admin.query('select sum(SuccessCount) as n from CrawlComponentStatus');
    return Number(sets[0]?.[0]?.['n'] ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanUp.disposeAsync();
  }
}
