import type { Log } from '../base/log.ts';
import type { Service } from '../base/service.ts';
import type { Client } from '../client/client.ts';
import { confinement } from './convert/confinement.ts';
import { ConvertWork } from './convert/convert-work.ts';
import { findOffice, findProgram } from './convert/program.ts';
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
const documents = 500;
const restTime = 5 * 60_000;

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
  /** True to take only items of jobs that have Granary's own settings, and leave those of others to their dispatchers. */
  readonly own: boolean;
  readonly userAgent: string;
  readonly log: Log;
}

/** A worker that this machine lacks the program for, and what to do about it. */
export class WorkerMissing extends Error {
  override readonly name = 'WorkerMissing';
}

/** One kind of worker on some databases of one server. */
export class WorkCrew implements Service {
  readonly #crew = new AsyncDisposableStack();
  readonly #start: () => Promise<void>;

  /** @param server a client of any database of the server; @param databases those to work on */
  constructor(worker: WorkerName, server: Client, databases: readonly string[], options: WorkOptions) {
    this.#start = async () => {
      const { roots, except, userAgent, log } = options;
      const places = this.#crew.use(new Places({ roots, except, userAgent, server }));
      const work = this.#crew.use(await workOf(worker, places, options));
      for (const database of databases) {
        const { leaseSeconds, own } = options;
        const dispatcher = new Dispatcher({
          client: server.database(database),
          protocol: protocols[worker],
          work,
          own,
          log: log.with({ worker, database }),
          ...(leaseSeconds !== undefined && { leaseSeconds }),
        });
        await this.#crew.use(dispatcher).start();
      }
    };
  }

  /** Rejects with WorkerMissing when the program is not installed. */
  start(): Promise<void> {
    return this.#start();
  }

  /** Finishes or gives back what the workers hold. */
  stop(): Promise<void> {
    return this.#crew.disposeAsync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
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
  return new WorkerMissing((await missingFor(worker, service !== undefined)) ?? `the worker ${worker} is not there`);
}

async function translator(options: WorkOptions): Promise<Translate> {
  const { translator: service, timeout } = options;
  if (service !== undefined) return libreTranslate({ ...service, timeout, largest: limits.largest });
  const program = await findProgram('apertium');
  if (program === undefined) throw await missing(options, 'translate');
  return apertium({ program, confinement: await confinement(bounds), timeout });
}
