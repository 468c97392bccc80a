import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { settingsWith } from '../../../src/cli/resolve-settings.ts';
import { Client } from '../../../src/client/client.ts';
import { createEngine } from '../../../src/create-engine.ts';
import { int } from '../../../src/tds/types/index.ts';
import { type RunningServer, serve, temporaryFolder } from '../../cli/granary.ts';
import type { EngineName } from '../../support/engines.ts';
import { forEngineOfRun } from '../../support/long-run.ts';
import { newPostgresDatabase } from '../../support/postgres-database.ts';
import { password } from '../../support/server.ts';
import { assertSame, CrawlFarm, makeDatabases, makeSource } from './crawl-farm.ts';
import { SiteServer } from './site/site-server.ts';
import { usualOptions } from './usual-options.ts';

/** Ten thousand pages where the environment asks for them. */
const pages = Number(process.env['GRANARY_TEST_CRAWL_PAGES'] ?? 120);
/** Milliseconds between two kills of a component. */
const interval = pages > 1000 ? 3000 : 300;
const most = pages > 1000 ? 12 : 2;
const script = fileURLToPath(new URL('./role-process.ts', import.meta.url));

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  return port;
}

/** A server that is killed and comes back on the same port and the same data. */
class Place implements AsyncDisposable {
  readonly port: number;
  readonly #start: () => Promise<RunningServer>;
  readonly #cleanUp: AsyncDisposableStack;
  #server: RunningServer | undefined;

  private constructor(port: number, start: () => Promise<RunningServer>, cleanUp: AsyncDisposableStack) {
    this.port = port;
    this.#start = start;
    this.#cleanUp = cleanUp;
  }

  static async make(engine: EngineName, urls: readonly string[]) {
    const cleanUp = new AsyncDisposableStack();
    const folder = cleanUp.use(await temporaryFolder());
    const url = engine === 'postgres' ? cleanUp.use(await newPostgresDatabase()).url : engine;
    const open = await createEngine(settingsWith({ data: folder.path, engine: url }));
    await open.start();
    const made = await makeDatabases(open, 'Kill', [2, 1]);
    const source = await makeSource(open, made.admin, 'site', urls);
    await open.stop();
    const port = await freePort();
    const args = ['--data', folder.path, '--log-level', 'error', '--port', String(port)];
    const start = () => serve(args, { environment: { GRANARY_SA_PASSWORD: password, GRANARY_ENGINE: url } });
    const place = new Place(port, start, cleanUp);
    place.#server = await start();
    return { place, made, source };
  }

  async kill(): Promise<void> {
    await this.#server?.end('SIGKILL');
    await delay(300);
    this.#server = await this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.end('SIGKILL');
    await this.#cleanUp.disposeAsync();
  }
}

/** Components as processes, each of which can be killed and started again. */
class Processes implements AsyncDisposable {
  readonly #children = new Map<number, ChildProcess>();
  readonly #options: object;

  constructor(options: object) {
    this.#options = options;
  }

  start(number: number): void {
    const child = spawn(process.execPath, [script, JSON.stringify({ ...this.#options, number })], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#children.set(number, child);
  }

  async kill(number: number): Promise<void> {
    const child = this.#children.get(number);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const number of this.#children.keys()) await this.kill(number);
  }
}

forEngineOfRun((engine) => {
  test(`a crawl of ${pages} pages, while a component is killed again and again and the server twice, finds the same`, async (t) => {
    await using site = await SiteServer.start({ pages });
    const { place, made, source } = await Place.make(engine, site.site.startAddresses);
    await using _ = place;
    const client = Client.create({
      host: '127.0.0.1',
      port: place.port,
      user: 'sa',
      password,
      database: made.admin,
      encryption: 'off',
      // A server that comes back on a busy machine takes its time.
      retry: { attempts: 40, longest: 120_000 },
    });
    await using farm = new CrawlFarm(client, made.stores, made.properties);
    await farm.administration.setRules(source, { interval: 0, retries: 5 });
    await using processes = new Processes({ port: place.port, password, database: made.admin });
    for (const number of [0, 1, 2]) processes.start(number);
    const crawl = await farm.administration.start(source, 'full');
    let isOver = false;
    const over = farm.untilOver(crawl, 100 + pages / 10).finally(() => {
      isOver = true;
    });
    let kills = 0;
    let serverKills = 0;
    // Not before there is something to lose.
    while (!isOver && site.asked.size < 20) await delay(20);
    for (; kills < most && !isOver; kills++) {
      if (kills % 2 === 1 && serverKills < 2) {
        await place.kill();
        serverKills++;
      }
      await processes.kill(kills % 3);
      processes.start(kills % 3);
      await delay(interval);
    }
    await over;
    assert.ok(kills >= 2 && serverKills >= 1, `${kills} kills, ${serverKills} of the server: the crawl was too short`);
    assertSame(await farm.found(), site.site.found(), 'found');
    const committed = (await farm.history()).filter(({ crawl: by, level }) => by === crawl && level < 2);
    const [counted] = await farm.admin.select(
      { n: int },
      'select sum(SuccessCount + WarningCount) as n from CrawlComponentStatus where CrawlID = @crawl',
      { crawl },
    );
    assert.equal(
      counted?.n,
      committed.length,
      'what was committed is counted, though components were killed between the two',
    );
    const counts = [...site.asked].filter(([url]) => !/broken|flaky/.test(url)).map(([, { count }]) => count);
    const extra = counts.reduce((sum, count) => sum + count - 1, 0);
    const inHand = usualOptions.batchSize * 2 + usualOptions.concurrency;
    assert.ok(Math.max(...counts) <= 1 + kills + serverKills, `a page was asked for ${Math.max(...counts)} times`);
    assert.ok(extra <= (kills + 3 * serverKills) * inHand, `${extra} pages were asked for again`);
    t.diagnostic(
      `${kills} components and ${serverKills} servers killed, ${extra} of ${counts.length} pages asked for again, one ${Math.max(...counts)} times`,
    );
  });
});
