import { setImmediate as yieldToCalls } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log/log.ts';
import { type Count, type Distribution, type Family, Measures, secondsBounds } from '../base/log/measures.ts';
import type { Service } from '../base/service.ts';
import type { Engine } from '../engine/engine.ts';
import type { Kind, Upkeep } from '../procedure/kind.ts';

interface UpkeepRunnerOptions {
  readonly engine: Pick<Engine, 'list' | 'open'>;
  readonly kinds: readonly Kind[];
  readonly clock: Clock;
  readonly log: Log;
  readonly measures?: Measures;
  /** Milliseconds between checks for new work while there is none. */
  readonly interval?: number;
}

/** Runs the maintenance of databases between calls: one small transaction after another, then a pause. */
export class UpkeepRunner implements Service {
  readonly #engine: Pick<Engine, 'list' | 'open'>;
  readonly #upkeepOf: ReadonlyMap<string, readonly Upkeep[]>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #interval: number;
  readonly #seconds: Family<Distribution>;
  readonly #failures: Family<Count>;
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #wakeUp: () => void = () => {};
  #woken = false;

  constructor({ engine, kinds, clock, log, measures = new Measures(), interval = 30_000 }: UpkeepRunnerOptions) {
    this.#engine = engine;
    this.#upkeepOf = new Map(kinds.map((kind) => [kind.name, kind.upkeep ?? []]));
    this.#clock = clock;
    this.#log = log;
    this.#interval = interval;
    const of = ['database', 'upkeep'];
    this.#seconds = measures.distribution('granary_upkeep_seconds', 'Duration of upkeep steps.', secondsBounds, of);
    this.#failures = measures.count('granary_upkeep_failures_total', 'Steps of upkeep that failed.', of);
  }

  async start(): Promise<void> {
    this.#stopping = new AbortController();
    this.#running = this.#run(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeUp();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Ends the pause between two rounds: there is work now. */
  wake(): void {
    this.#woken = true;
    this.#wakeUp();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isMoreLeft = await this.#round(signal);
      if (isMoreLeft) await yieldToCalls();
      else await this.#rest(signal);
    }
  }

  /** Runs one step of every upkeep of every database, so that none delays another. */
  async #round(signal: AbortSignal): Promise<boolean> {
    let isMoreLeft = false;
    try {
      for (const { name, kind } of await this.#engine.list()) {
        for (const upkeep of this.#upkeepOf.get(kind) ?? []) {
          if (signal.aborted) return false;
          if (await this.#step(name, upkeep, signal)) isMoreLeft = true;
        }
      }
    } catch (error) {
      this.#complain(error, signal, {});
    }
    return isMoreLeft;
  }

  async #step(database: string, upkeep: Upkeep, signal: AbortSignal): Promise<boolean> {
    try {
      const opened = await this.#engine.open(database);
      if (opened === undefined) return false;
      const now = this.#clock.now();
      const start = performance.now();
      const { isUnseen, byRows } = upkeep;
      const isMoreLeft = await opened.write((db) => upkeep.step(db, now), { signal, isUnseen, byRows });
      this.#seconds.of(database, upkeep.name).add((performance.now() - start) / 1000);
      return isMoreLeft;
    } catch (error) {
      if (!signal.aborted) this.#failures.of(database, upkeep.name).add();
      this.#complain(error, signal, { database, upkeep: upkeep.name });
      return false;
    }
  }

  /** Logs a failure, which is retried after the pause; a step that was interrupted by the stop has not failed. */
  #complain(error: unknown, signal: AbortSignal, where: Readonly<Record<string, string>>): void {
    if (signal.aborted) return;
    this.#log.warn('upkeep failed', { ...where, error: error instanceof Error ? error.message : String(error) });
  }

  async #rest(signal: AbortSignal): Promise<void> {
    if (!this.#woken && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, this.#interval);
      this.#wakeUp = resolve;
      await promise;
      clearTimeout(timer);
      this.#wakeUp = () => {};
    }
    this.#woken = false;
  }
}
