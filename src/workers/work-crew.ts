import type { Log } from '../base/log/log.ts';
import type { Service } from '../base/service.ts';
import type { Client } from '../client/client.ts';
import { confinement } from './convert/confinement.ts';
import { ConvertWork } from './convert/convert-work.ts';
import { findOffice, findProgram } from './convert/program.ts';
import { rest } from './crawl/role.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { conversions, type JobProtocol, translations } from './dispatch/protocols.ts';
import type { Work } from './dispatch/work-item.ts';
import { Places } from './documents/places/places.ts';
import { missingFor } from './missing-program.ts';
import { apertium } from './translate/apertium.ts';
import { libreTranslate } from './translate/libre-translate.ts';
import type { Translate } from './translate/translate.ts';
import { TranslateWork } from './translate/translate-work.ts';
import type { WorkerName } from './worker-kinds.ts';

const protocols: Readonly<Record<WorkerName, JobProtocol>> = { convert: conversions, translate: translations };

const gigabyte = 1024 ** 3;
const limits = { largest: gigabyte / 4, largestUnpacked: gigabyte };
const bounds = { memory: 4 * gigabyte, fileSize: 2 * gigabyte };
/** Documents after which an instance of LibreOffice is replaced, and milliseconds after which an idle one ends. */
const documents = 2000;
const restTime = 5 * 60_000;
/** Milliseconds between two checks for created or dropped databases. */
const lookInterval = 2000;

/** How workers work. */
export interface WorkOptions {
  /** Documents at once. */
  readonly concurrency: number;
  /** Milliseconds that one document may take. */
  readonly timeout: number;
  /** The folders that documents may be in. */
  readonly roots: readonly URL[];
  /** Folders of this machine that they may not be in. */
  readonly except: readonly string[];
  /** A service with the interface of LibreTranslate, in place of Apertium. */
  readonly translator?: { readonly url: URL; readonly apiKey?: string };
  /** Seconds for which an item is claimed. */
  readonly leaseSeconds?: number;
  /**
   * True to take only items of jobs that have Granary's own settings, and leave those of others to their dispatchers.
   */
  readonly own: boolean;
  /** Milliseconds between two checks for created or dropped databases; two seconds by default. */
  readonly lookInterval?: number;
  readonly userAgent: string;
  readonly log: Log;
}

/** A worker that this machine lacks the program for, and what to do about it. */
export class WorkerMissing extends Error {
  override readonly name = 'WorkerMissing';
}

/** Tells the databases that there are for a kind of worker now. */
export type Databases = () => Promise<readonly string[]>;

/**
 * One kind of worker on the databases of one server: databases created later are served too, and dropped ones no
 * longer.
 */
export class WorkCrew implements Service {
  readonly #worker: WorkerName;
  readonly #server: Client;
  readonly #databases: Databases;
  readonly #options: WorkOptions;
  readonly #resources = new AsyncDisposableStack();
  readonly #dispatchers = new Map<string, Dispatcher>();
  readonly #stop = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  /** @param server a client of any database of the server; @param databases those to work on */
  constructor(worker: WorkerName, server: Client, databases: readonly string[] | Databases, options: WorkOptions) {
    this.#worker = worker;
    this.#server = server;
    this.#databases = typeof databases === 'function' ? databases : async () => databases;
    this.#options = options;
  }

  /** Rejects with WorkerMissing when the program is not installed. */
  async start(): Promise<void> {
    const { roots, except, userAgent } = this.#options;
    const places = this.#resources.use(new Places({ roots, except, userAgent, server: this.#server }));
    const work = this.#resources.use(await workOf(this.#worker, places, this.#options));
    await this.#follow(work);
    this.#watching = this.#watch(work);
  }

  /** Finishes or gives back what the workers hold. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
    await Promise.all(Array.from(this.#dispatchers.values(), (dispatcher) => dispatcher.stop()));
    this.#dispatchers.clear();
    await this.#resources.disposeAsync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #watch(work: Work): Promise<void> {
    while (await rest(this.#options.lookInterval ?? lookInterval, this.#stop.signal)) {
      // A server that is away has its databases still.
      await this.#follow(work).catch((error: unknown) =>
        this.#options.log.debug('the databases cannot be listed', { error: String(error) }),
      );
    }
  }

  /** Takes on databases that are new, and leaves those that are gone. */
  async #follow(work: Work): Promise<void> {
    const { leaseSeconds, own, log } = this.#options;
    const names = new Set(await this.#databases());
    for (const [name, dispatcher] of this.#dispatchers) {
      if (names.has(name)) continue;
      this.#dispatchers.delete(name);
      await dispatcher.stop();
      log.info('a worker has released a database that no longer exists', { worker: this.#worker, database: name });
    }
    for (const database of names) {
      if (this.#dispatchers.has(database) || this.#stop.signal.aborted) continue;
      const dispatcher = new Dispatcher({
        client: this.#server.database(database),
        protocol: protocols[this.#worker],
        work,
        own,
        log: log.with({ worker: this.#worker, database }),
        ...(leaseSeconds !== undefined && { leaseSeconds }),
      });
      this.#dispatchers.set(database, dispatcher);
      await dispatcher.start();
      log.info('a worker has taken up a database', { worker: this.#worker, database });
    }
  }
}

async function workOf(worker: WorkerName, places: Places, options: WorkOptions): Promise<Work> {
  const { timeout, log, concurrency } = options;
  if (worker === 'translate') {
    return new TranslateWork({ translate: await translator(options), concurrency, places, limits });
  }
  const program = await findOffice();
  if (program === undefined) throw await missing(options, worker);
  return new ConvertWork({
    program,
    instances: concurrency,
    timeout,
    documents,
    rest: restTime,
    memory: bounds.memory,
    largestOutput: bounds.fileSize,
    places,
    limits,
    log: log.with({ worker }),
  });
}

async function missing({ translator: service }: WorkOptions, worker: WorkerName): Promise<WorkerMissing> {
  return new WorkerMissing(
    (await missingFor(worker, service !== undefined)) ?? `the worker ${worker} is not available`,
  );
}

async function translator(options: WorkOptions): Promise<Translate> {
  const { translator: service, timeout } = options;
  if (service !== undefined) return libreTranslate({ ...service, timeout, largest: limits.largest });
  const program = await findProgram('apertium');
  if (program === undefined) throw await missing(options, 'translate');
  return apertium({ program, confinement: await confinement(bounds), timeout });
}
