import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Log } from '../../base/log/log.ts';
import { isAlive } from '../documents/is-alive.ts';
import { confinement } from './confinement.ts';
import { type Conversion, OfficeInstance } from './instance.ts';

/** How LibreOffice is run. */
export interface OfficeOptions {
  /** The program, as `findOffice` finds it. */
  readonly program: string;
  /** Maximum number of concurrent instances. */
  readonly instances: number;
  /** Milliseconds that one document may take. */
  readonly timeout: number;
  /** Documents after which an instance is replaced. */
  readonly documents: number;
  /** Milliseconds after which an idle instance exits. */
  readonly rest: number;
  /** Bytes of memory of an instance. */
  readonly memory: number;
  /** Bytes of a file that it writes. */
  readonly largestOutput: number;
  readonly log: Log;
}

interface Started {
  readonly instance: OfficeInstance;
  readonly folder: string;
}

interface Resting extends Started {
  readonly until: NodeJS.Timeout;
}

/**
 * The successor of an instance is started this many documents before it is replaced. Once it is up both work: the first
 * documents of each kind take long, and the old one continues meanwhile.
 */
const ahead = 20;

const folderName = 'granary-office';

/** The weight of the last document in the moving average. */
const weightOfLast = 0.3;

/** A pool of LibreOffice instances that are started on demand, kept running, and replaced in time. */
export class OfficePool implements AsyncDisposable {
  readonly #options: OfficeOptions;
  readonly #resting: Resting[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #ending = new Set<Promise<void>>();
  /** Instances being started to replace others. */
  readonly #coming = new Set<Promise<void>>();
  /** Instances that are about to be replaced and whose successors are ready. */
  readonly #retiring = new Set<OfficeInstance>();
  readonly #disposing = new AbortController();
  #busy = 0;
  #usual: number | undefined;
  #confinement: Promise<readonly string[]> | undefined;

  constructor(options: OfficeOptions) {
    this.#options = options;
  }

  /** The moving average of milliseconds per document; undefined before the first. */
  get usual(): number | undefined {
    return this.#usual;
  }

  /** Converts a document with a free instance; rejects with a WorkError, or with the reason of the signal. */
  async convert(conversion: Conversion, signal: AbortSignal): Promise<void> {
    await this.#turn(signal);
    try {
      const { instance, folder } = await this.#take(signal);
      try {
        const began = performance.now();
        await instance.convert(conversion, this.#options.timeout, signal);
        const took = performance.now() - began;
        this.#usual = this.#usual === undefined ? took : this.#usual + (took - this.#usual) * weightOfLast;
      } finally {
        this.#giveBack(instance, folder);
      }
    } finally {
      this.#busy--;
      this.#waiting.shift()?.();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposing.abort();
    await Promise.all(this.#coming);
    for (const { instance, folder, until } of this.#resting.splice(0)) {
      clearTimeout(until);
      this.#end(instance, folder);
    }
    await Promise.all(this.#ending);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    while (this.#busy >= this.#options.instances + this.#retiring.size) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#busy++;
  }

  async #take(signal: AbortSignal): Promise<Started> {
    for (;;) {
      const found = this.#resting.pop();
      if (found === undefined) {
        if (this.#coming.size === 0) return await this.#start(signal);
        await Promise.race(this.#coming);
        continue;
      }
      clearTimeout(found.until);
      if (found.instance.isUp) return found;
      this.#end(found.instance, found.folder);
    }
  }

  /** Starts an instance that will be needed; if that fails, the next user starts one and gets the error. */
  #startAhead(old: OfficeInstance): void {
    const coming = (async () => {
      try {
        const { instance, folder } = await this.#start(this.#disposing.signal);
        this.#resting.unshift(this.#atRest(instance, folder));
        if (!old.isUp || old.done >= this.#options.documents) return;
        this.#retiring.add(old);
        this.#waiting.shift()?.();
      } catch (error) {
        this.#options.log.debug('LibreOffice could not be started in advance', { error: String(error) });
      }
    })();
    this.#coming.add(coming);
    void coming.then(() => this.#coming.delete(coming));
  }

  async #start(signal: AbortSignal): Promise<Started> {
    const { program, memory, largestOutput, log } = this.#options;
    this.#confinement ??= removeLeftovers().then(() => confinement({ memory, fileSize: largestOutput }));
    const folder = await mkdtemp(join(tmpdir(), `${folderName}-${process.pid}-`));
    try {
      const began = performance.now();
      const instance = await OfficeInstance.start({ program, confinement: await this.#confinement, folder }, signal);
      log.debug('LibreOffice started', { milliseconds: Math.round(performance.now() - began) });
      return { instance, folder };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  #giveBack(instance: OfficeInstance, folder: string): void {
    const { documents } = this.#options;
    const left = documents - instance.done;
    if (left === Math.min(ahead, Math.floor(documents / 2))) this.#startAhead(instance);
    if (!instance.isUp || left <= 0) this.#end(instance, folder);
    // The last is taken first: an instance that is to be replaced is used up before others.
    else if (this.#retiring.size === 0 || this.#retiring.has(instance))
      this.#resting.push(this.#atRest(instance, folder));
    else this.#resting.unshift(this.#atRest(instance, folder));
  }

  #atRest(instance: OfficeInstance, folder: string): Resting {
    const until = setTimeout(() => {
      const place = this.#resting.findIndex((each) => each.instance === instance);
      if (place < 0) return;
      this.#resting.splice(place, 1);
      this.#end(instance, folder);
    }, this.#options.rest);
    until.unref();
    return { instance, folder, until };
  }

  #end(instance: OfficeInstance, folder: string): void {
    this.#retiring.delete(instance);
    const ended = (async () => {
      await instance[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    })().catch((error: unknown) =>
      this.#options.log.warn('a LibreOffice instance did not exit cleanly', { error: String(error) }),
    );
    this.#ending.add(ended);
    void ended.then(() => this.#ending.delete(ended));
  }
}

/** Removes the folders of instances whose worker was killed; they died with it. */
async function removeLeftovers(): Promise<void> {
  await mkdir(tmpdir(), { recursive: true });
  for (const name of await readdir(tmpdir())) {
    const [, pid] = new RegExp(`^${folderName}-(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}
