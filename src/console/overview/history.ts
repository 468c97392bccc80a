import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log/log.ts';
import { Distribution, type Measures } from '../../base/log/measures.ts';
import type { Service } from '../../base/service.ts';

/** Milliseconds between two points, and how many points are kept: an hour. */
const pace = 10_000;
const soon = 1_000;
const mostPoints = 360;

/** Points between two reads of what needs queries: counts of jobs, sizes. */
const slowEvery = 6;

/** The figures that are kept, each a number at every point. */
export type FigureName = 'calls' | 'median' | 'slowest' | 'errors' | 'sessions' | 'queue' | 'waiting' | 'bytes';

/** The figures at one moment. */
export type Point = Readonly<Record<FigureName, number>> & { readonly at: number };

/** States of jobs that are under way. */
const underWay: ReadonlySet<string> = new Set(['waiting', 'running']);

/** What of the measures has been counted so far. */
interface Totals {
  readonly at: number;
  readonly buckets: readonly number[];
  readonly bounds: readonly number[];
  readonly errors: number;
}

/** The figures of the last hour, recorded every few seconds in any case; older ones are dropped. */
export class History implements Service {
  readonly #measures: Measures;
  readonly #clock: Clock;
  readonly #log: Log;
  #points: Point[] = [];
  #before: Totals | undefined;
  #slow = { waiting: 0, bytes: 0 };
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;
  #second: NodeJS.Timeout | undefined;
  #noting: Promise<void> | undefined;

  constructor(measures: Measures, clock: Clock, log: Log) {
    this.#measures = measures;
    this.#clock = clock;
    this.#log = log;
  }

  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.note(), pace).unref();
    void this.note();
    // A plot needs two points: a console that is opened right after a start has one too.
    this.#second = setTimeout(() => void this.note(), soon).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#second);
    this.#timer = undefined;
    await this.#noting;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** The points, the oldest first. */
  get points(): readonly Point[] {
    return this.#points;
  }

  /** Records the current figures; called by the timer, one at a time. */
  note(): Promise<void> {
    this.#noting ??= this.#note()
      .catch((error: unknown) => this.#log.warn('figures could not be recorded', { error: String(error) }))
      .finally(() => {
        this.#noting = undefined;
      });
    return this.#noting;
  }

  async #note(): Promise<void> {
    const totals = await this.#totals();
    // At the very start databases are still being made: the second look is one more at them.
    const looks = this.#looks++;
    if (looks % slowEvery === 0 || looks === 1) {
      this.#slow = {
        waiting: await this.#sum('granary_jobs', ({ state = '' }) => underWay.has(state)),
        bytes: await this.#sum('granary_database_bytes'),
      };
    }
    const point: Point = {
      at: totals.at,
      ...since(this.#before ?? totals, totals),
      sessions: await this.#sum('granary_sessions'),
      queue: await this.#sum('granary_writer_queue'),
      ...this.#slow,
    };
    this.#before = totals;
    this.#points.push(point);
    if (this.#points.length > mostPoints) this.#points.shift();
  }

  async #totals(): Promise<Totals> {
    const measure = this.#measures.all().find(({ name }) => name === 'granary_call_seconds');
    const kept = measure?.type === 'distribution' ? [...(await measure.read())].map((each) => each.kept) : [];
    const bounds = kept[0]?.bounds ?? [];
    const buckets = new Array<number>(bounds.length + 1).fill(0);
    for (const { counts } of kept) for (const [i, count] of counts.entries()) buckets[i] = (buckets[i] ?? 0) + count;
    const errors = await this.#sum('granary_call_errors_total');
    return { at: this.#clock.now().getTime(), buckets, bounds, errors };
  }

  async #sum(
    name: string,
    counts: (labels: Readonly<Record<string, string>>) => boolean = () => true,
  ): Promise<number> {
    const measure = this.#measures.all().find((each) => each.name === name);
    if (measure === undefined || measure.type === 'distribution') return 0;
    let sum = 0;
    for (const { labels, value } of await measure.read()) if (counts(labels)) sum += value;
    return sum;
  }
}

/** Calls and errors a second, and milliseconds of calls, between two looks. */
function since(before: Totals, now: Totals): Pick<Point, 'calls' | 'median' | 'slowest' | 'errors'> {
  const seconds = Math.max((now.at - before.at) / 1000, 0.001);
  const between = new Distribution(now.bounds);
  for (const [i, count] of now.buckets.entries()) between.counts[i] = Math.max(0, count - (before.buckets[i] ?? 0));
  return {
    calls: rounded(between.count / seconds),
    median: rounded(between.quantile(0.5) * 1000),
    slowest: rounded(between.quantile(0.99) * 1000),
    errors: rounded(Math.max(0, now.errors - before.errors) / seconds),
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
