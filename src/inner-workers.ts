import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './base/log/log.ts';
import type { Service } from './base/service.ts';
import type { Settings } from './cli/settings.ts';
import { workOptions } from './cli/work-options.ts';
import { Client } from './client/client.ts';
import type { LocalServer } from './client/options.ts';
import type { Engine, ListedDatabase } from './engine/engine.ts';
import { claims } from './protocols/jobs/claims/index.ts';
import { workersProgram } from './session/seen/session-databases.ts';
import type { Databases } from './workers/work-crew.ts';
import { kindsOfWorker, type WorkerName, workerNames } from './workers/worker-kinds.ts';

/** Milliseconds between two looks for the first job that the workers of an idle server would be started for. */
const look = 1000;

interface InnerWorkersOptions {
  readonly settings: Settings;
  readonly server: LocalServer;
  readonly engine: Pick<Engine, 'list' | 'suspects'>;
  readonly log: Log;
}

/**
 * The workers inside the server. Those that the settings name start with it and take every item; without a word about
 * them, those whose programs are installed start with the first job of `granary job submit`, and leave others alone.
 */
export class InnerWorkers implements Service {
  readonly #options: InnerWorkersOptions;
  readonly #stop = new AbortController();
  readonly #running = new AsyncDisposableStack();
  #waiting: Promise<unknown> = Promise.resolve();

  constructor(options: InnerWorkersOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { settings, server, engine } = this.#options;
    const names = settings.workers === 'auto' ? workerNames : settings.workers;
    if (names.length === 0) return;
    const client = this.#running.use(Client.create({ server, database: 'master', appName: workersProgram }));
    const waits = [];
    for (const name of names) {
      if (!(await this.#isInstalled(name))) continue;
      const isServed = (entry: ListedDatabase) =>
        kindsOfWorker[name].includes(entry.kind) && !engine.suspects().has(entry.name);
      const databases = async () => (await engine.list()).filter(isServed).map((entry) => entry.name);
      if (settings.workers === 'auto') waits.push(this.#startForFirst(name, client, databases));
      else await this.#startCrew(name, client, databases, false);
    }
    this.#waiting = Promise.all(waits);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#waiting;
    await this.#running.disposeAsync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #isInstalled(name: WorkerName): Promise<boolean> {
    const { settings, log } = this.#options;
    const { missingFor } = await import('./workers/missing-program.ts');
    const missing = await missingFor(name, settings.translatorUrl !== undefined);
    // Whom nobody has asked for is missed by nobody.
    if (missing !== undefined) log[settings.workers === 'auto' ? 'info' : 'warn'](missing);
    return missing === undefined;
  }

  async #startCrew(name: WorkerName, client: Client, databases: Databases, own: boolean): Promise<void> {
    const { settings, log } = this.#options;
    // What converts and translates takes memory: it is loaded by who does.
    const { WorkCrew } = await import('./workers/work-crew.ts');
    await this.#running.use(new WorkCrew(name, client, databases, { ...workOptions(settings, log), own })).start();
    log.info('worker started', { worker: name });
  }

  /** Waits for the first item of one of Granary's own jobs. */
  async #startForFirst(name: WorkerName, client: Client, databases: Databases): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        if (await this.#isWorkIn(client, await databases()))
          return await this.#startCrew(name, client, databases, true);
      } catch (error) {
        if (!signal.aborted) log.warn('the workers cannot look for jobs', { error: String(error) });
      }
      await delay(look, undefined, { signal }).catch(() => {});
    }
  }

  /** Looks into each: one that is damaged does not keep the workers from the others. */
  async #isWorkIn(client: Client, databases: readonly string[]): Promise<boolean> {
    for (const database of databases) {
      try {
        const { outcome } = await client.database(database).call(claims.waitForWork, { Milliseconds: 0, Own: true });
        if (outcome === 'there') return true;
      } catch (error) {
        if (this.#stop.signal.aborted) return false;
        this.#options.log.warn('the workers cannot look for jobs', { database, error: String(error) });
      }
    }
    return false;
  }
}
