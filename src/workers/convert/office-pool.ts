import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Log } from '../../base/log.ts';
import { isAlive } from '../documents/is-alive.ts';
import { confinement } from './confinement.ts';
import { type Conversion, OfficeInstance } from './instance.ts';

/** How LibreOffice is run. */
export interface OfficeOptions {
  /** The program, as `findOffice` finds it. */
  readonly program: string;
  /** Instances at once. */
  readonly instances: number;
  /** Milliseconds that one document may take. */
  readonly timeout: number;
  /** Documents after which an instance is replaced. */
  readonly documents: number;
  /** Milliseconds after which an instance that has nothing to do ends. */
  readonly rest: number;
  /** Bytes of memory of an instance. */
  readonly memory: number;
  /** Bytes of a file that it writes. */
  readonly largestOutput: number;
  readonly log: Log;
}

interface Resting {
  readonly instance: OfficeInstance;
  readonly folder: string;
  readonly until: NodeJS.Timeout;
}

const folderName = 'granary-office';

/** How much the last document counts for what is usual. */
const weightOfLast = 0.3;

/** Instances of LibreOffice that are started when there is work, stay up, and are replaced in time. */
export class OfficePool implements AsyncDisposable {
  readonly #options: OfficeOptions;
  readonly #resting: Resting[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #ending = new Set<Promise<void>>();
  #busy = 0;
  #usual: number | undefined;
  #confinement: Promise<readonly string[]> | undefined;

  constructor(options: OfficeOptions) {
    this.#options = options;
  }

  /** Milliseconds that a document has taken lately; undefined before the first. */
  get usual(): number | undefined {
    return this.#usual;
  }

  /** Converts a document by an instance that is free; rejects with a WorkError, or with the reason of the signal. */
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
    for (const { instance, folder, until } of this.#resting.splice(0)) {
      clearTimeout(until);
      this.#end(instance, folder);
    }
    await Promise.all(this.#ending);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    while (this.#busy >= this.#options.instances) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#busy++;
  }

  async #take(signal: AbortSignal): Promise<{ instance: OfficeInstance; folder: string }> {
    for (let found = this.#resting.pop(); found !== undefined; found = this.#resting.pop()) {
      clearTimeout(found.until);
      if (found.instance.isUp) return found;
      this.#end(found.instance, found.folder);
    }
    return await this.#start(signal);
  }

  async #start(signal: AbortSignal): Promise<{ instance: OfficeInstance; folder: string }> {
    const { program, memory, largestOutput, log } = this.#options;
    this.#confinement ??= removeLeftovers().then(() => confinement({ memory, fileSize: largestOutput }));
    const folder = await mkdtemp(join(tmpdir(), `${folderName}-${process.pid}-`));
    try {
      const began = performance.now();
      const instance = await OfficeInstance.start({ program, confinement: await this.#confinement, folder }, signal);
      log.debug('LibreOffice has started', { milliseconds: Math.round(performance.now() - began) });
      return { instance, folder };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  #giveBack(instance: OfficeInstance, folder: string): void {
    if (!instance.isUp || instance.done >= this.#options.documents) {
      this.#end(instance, folder);
      return;
    }
    const until = setTimeout(() => {
      const place = this.#resting.findIndex((each) => each.instance === instance);
      if (place < 0) return;
      this.#resting.splice(place, 1);
      this.#end(instance, folder);
    }, this.#options.rest);
    until.unref();
    this.#resting.push({ instance, folder, until });
  }

  #end(instance: OfficeInstance, folder: string): void {
    const ended = (async () => {
      await instance[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    })().catch((error: unknown) => this.#options.log.warn('an instance did not end well', { error: String(error) }));
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
