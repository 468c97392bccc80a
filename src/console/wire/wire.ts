import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { BegunCall, CallEnding, CallTap, Recording, SentSet, TapListener } from '../../procedure/call-tap.ts';
import { KeptCall } from './kept-call.ts';
import { shownCall } from './shown-call.ts';
import { asksForEnd, endFits, fits, mayFit, type WireFilter } from './wire-filter.ts';

/**
 * The maximum number of calls per second that are recorded, for all viewers together, and as many again of those
 * selected by their end.
 */
const mostPerSecond = 40;

/** The number of calls that are kept for viewers that reconnect, or connect later. */
const mostKept = 500;

/** Milliseconds for which calls are still recorded after the last viewer has left: it may reconnect. */
const grace = 15_000;

/**
 * The maximum number of different filters: beyond it, a viewer that left is not waited for, since each filter costs
 * every call a check.
 */
const mostLenses = 100;

/** Milliseconds between two events to one who looks. */
const pause = 500;

/** A filter shared by all viewers with the same one. */
interface Lens {
  readonly filter: WireFilter;
  /** True where calls are picked when they end. */
  readonly isLate: boolean;
  viewers: number;
  skipped: number;
  /** Calls per second that are reserved for it, however many others view. */
  left: number;
  ending: NodeJS.Timeout | undefined;
}

interface Viewer {
  wake(): void;
}

/** Live calls for viewers: bounded in number and in what is kept, and recorded only while there are viewers. */
export class Wire implements TapListener {
  readonly #tap: CallTap;
  readonly #clock: Clock;
  readonly #lenses = new Map<string, Lens>();
  readonly #viewers = new Set<Viewer>();
  /** Differs from start to start, so that numbers of another start are not taken for own ones. */
  readonly #epoch = randomBytes(4).toString('hex');
  #kept: KeptCall[] = [];
  #number = 0;
  #second = 0;
  #left = mostPerSecond;
  #leftLate = mostPerSecond;

  constructor(tap: CallTap, clock: Clock) {
    this.#tap = tap;
    this.#clock = clock;
  }

  begin(call: BegunCall): Recording | undefined {
    this.#refill();
    // Every call of the server passes here while there are viewers: one that nobody will see allocates nothing.
    let isEarly = false;
    let isLate = false;
    let payer: Lens | undefined;
    for (const lens of this.#lenses.values()) {
      if (!mayFit(lens.filter, call)) continue;
      if (lens.isLate) isLate = true;
      else isEarly = true;
      if (lens.left > 0) payer ??= lens;
    }
    const isWanted = isEarly && this.#pay(payer);
    if (isEarly && !isWanted) this.#skip(call);
    if (!isWanted && !isLate) return undefined;
    const at = this.#clock.now();
    const sets: SentSet[] = [];
    return {
      sets,
      end: (ending) => {
        if (isWanted || this.#isPicked(call, ending)) this.#keep(call, sets, ending, at);
      },
    };
  }

  /** The matching calls as they arrive, after the one that was seen last. */
  async *watch(filter: WireFilter, last: string | undefined, signal: AbortSignal) {
    let next = this.#behind(last);
    let wake: (() => void) | undefined;
    const viewer: Viewer = { wake: () => wake?.() };
    const lens = this.#enter(viewer, filter);
    let skippedBefore = lens.skipped;
    const stop = () => wake?.();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        const fresh = this.#since(next).filter((kept) => fits(filter, kept.call(false)));
        next = this.#number;
        const skipped = Math.max(0, lens.skipped - skippedBefore);
        skippedBefore = lens.skipped;
        if (fresh.length > 0 || skipped > 0) {
          const calls = fresh.map((kept) => kept.call(filter.reveals));
          const texts = fresh.map((kept) => kept.text(filter.reveals));
          const text = `{"calls":[${texts.join(',')}],"skipped":${skipped}}`;
          yield { id: `${this.#epoch}-${next}`, data: { calls, skipped }, text };
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (signal.aborted || this.#number > next) resolve();
        });
        if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#leave(viewer, lens);
    }
  }

  stop(): void {
    for (const { ending } of this.#lenses.values()) clearTimeout(ending);
    this.#tap.listener = undefined;
  }

  #refill(): void {
    const second = Math.floor(performance.now() / 1000);
    if (second === this.#second) return;
    this.#second = second;
    // Half of them is divided among the filters, so that a viewer of one procedure sees it while others, or the
    // previous page, view all.
    const watched = [...this.#lenses.values()].filter(({ isLate, viewers }) => !isLate && viewers > 0);
    const share = Math.floor(mostPerSecond / 2 / Math.max(1, watched.length));
    for (const lens of this.#lenses.values()) lens.left = watched.includes(lens) ? share : 0;
    this.#left = mostPerSecond - share * watched.length;
    this.#leftLate = mostPerSecond;
  }

  /**
   * Uses one of the calls that may still be recorded in this second, otherwise one reserved for a filter; false without
   * either.
   */
  #pay(payer: Lens | undefined): boolean {
    if (this.#left > 0) this.#left--;
    else if (payer !== undefined) payer.left--;
    else return false;
    return true;
  }

  #skip(call: BegunCall): void {
    for (const lens of this.#lenses.values()) if (!lens.isLate && mayFit(lens.filter, call)) lens.skipped++;
  }

  /** Whether a call that matches no filter by its beginning matches one by its end. */
  #isPicked(call: BegunCall, ending: CallEnding): boolean {
    this.#refill();
    const fitting = [...this.#lenses.values()].filter(({ filter }) => mayFit(filter, call) && endFits(filter, ending));
    const late = fitting.filter(({ isLate }) => isLate);
    if (late.length === 0) return false;
    if (this.#leftLate === 0) {
      for (const lens of late) lens.skipped++;
      return false;
    }
    this.#leftLate--;
    // It was skipped for the others, which see it anyway.
    for (const lens of fitting) if (!lens.isLate && lens.skipped > 0) lens.skipped--;
    return true;
  }

  /** The number of the first call that a viewer has not seen; for a new viewer, of the last few. */
  #behind(last: string | undefined): number {
    const [epoch, number] = (last ?? '').split('-');
    if (epoch === this.#epoch && /^\d+$/.test(number ?? '')) return Number(number);
    return Math.max(0, this.#number - 50);
  }

  /** What is kept from a number on; numbers have no gaps. */
  #since(number: number): readonly KeptCall[] {
    return this.#kept.slice(Math.max(0, number - (this.#kept[0]?.number ?? 0)));
  }

  #enter(viewer: Viewer, filter: WireFilter): Lens {
    this.#viewers.add(viewer);
    this.#tap.listener = this;
    const key = JSON.stringify(filter);
    const fresh = { filter, isLate: asksForEnd(filter), viewers: 0, skipped: 0, left: 0, ending: undefined };
    const lens: Lens = this.#lenses.get(key) ?? fresh;
    clearTimeout(lens.ending);
    lens.viewers++;
    this.#lenses.set(key, lens);
    return lens;
  }

  #leave(viewer: Viewer, lens: Lens): void {
    this.#viewers.delete(viewer);
    lens.viewers--;
    if (lens.viewers > 0) return;
    if (this.#lenses.size > mostLenses) this.#forget(lens);
    else lens.ending = setTimeout(() => this.#forget(lens), grace).unref();
  }

  /** No viewer has returned. */
  #forget(lens: Lens): void {
    this.#lenses.delete(JSON.stringify(lens.filter));
    if (this.#lenses.size > 0) return;
    this.#tap.listener = undefined;
    this.#kept = [];
  }

  #keep(call: BegunCall, sets: readonly SentSet[], ending: CallEnding, at: Date): void {
    const number = this.#number++;
    const told = { id: `${this.#epoch}-${number}`, at };
    const reveals = [...this.#lenses.values()].some(({ filter, viewers }) => filter.reveals && viewers > 0);
    const plain = shownCall(call, sets, ending, { ...told, reveals: false });
    const clear = reveals ? shownCall(call, sets, ending, { ...told, reveals: true }) : undefined;
    this.#kept.push(new KeptCall(number, plain, clear));
    if (this.#kept.length > mostKept) this.#kept.splice(0, this.#kept.length - mostKept);
    for (const viewer of this.#viewers) viewer.wake();
  }
}
