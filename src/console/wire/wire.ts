import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { BegunCall, CallEnding, CallTap, Recording, SentSet, TapListener } from '../../procedure/call-tap.ts';
import type { WireCall } from '../api/wire.ts';
import { shownCall } from './shown-call.ts';

/** Calls a second that are looked at in all, however many come and however many look. */
const mostPerSecond = 40;

/** Calls that are kept for who comes back, or comes later. */
const mostKept = 500;

/** Milliseconds that calls are kept, and still looked at, after the last one who looked has left: it may come back. */
const grace = 15_000;

/** Milliseconds between two events to one who looks. */
const pause = 500;

/** What somebody wants to see. */
interface WireFilter {
  /** The only login whose calls may be seen; undefined where all may. */
  readonly own: string | undefined;
  readonly procedure?: string | undefined;
  readonly login?: string | undefined;
  readonly database?: string | undefined;
  readonly session?: number | undefined;
  readonly ended?: 'failed' | 'well' | undefined;
  readonly slower?: number | undefined;
  readonly reveals: boolean;
}

interface KeptCall {
  readonly number: number;
  readonly plain: WireCall;
  /** With what is hidden otherwise; made only while somebody asks for it. */
  readonly clear: WireCall | undefined;
}

interface Viewer {
  readonly filter: WireFilter;
  skipped: number;
  wake(): void;
}

/** Calls as they come, for those who look: bounded in number and in what is kept, and listening only while somebody looks. */
export class Wire implements TapListener {
  readonly #tap: CallTap;
  readonly #clock: Clock;
  readonly #viewers = new Set<Viewer>();
  /** Differs from start to start, so that numbers of another start are not taken for own ones. */
  readonly #epoch = randomBytes(4).toString('hex');
  #kept: KeptCall[] = [];
  #number = 0;
  #second = 0;
  #left = mostPerSecond;
  #ending: NodeJS.Timeout | undefined;

  constructor(tap: CallTap, clock: Clock) {
    this.#tap = tap;
    this.#clock = clock;
  }

  begin(call: BegunCall): Recording | undefined {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#left = mostPerSecond;
    }
    let isWanted = false;
    for (const viewer of this.#viewers) {
      if (!mayFit(viewer.filter, call)) continue;
      isWanted = true;
      if (this.#left > 0) break;
      viewer.skipped++;
    }
    if (!isWanted || this.#left === 0) return undefined;
    this.#left--;
    const at = this.#clock.now();
    const sets: SentSet[] = [];
    return { sets, end: (ending) => this.#keep(call, sets, ending, at) };
  }

  /** The calls that fit, as they come, behind the one that was seen last. */
  async *watch(filter: WireFilter, last: string | undefined, signal: AbortSignal) {
    let next = this.#behind(last);
    let wake: (() => void) | undefined;
    const viewer: Viewer = { filter, skipped: 0, wake: () => wake?.() };
    this.#enter(viewer);
    const stop = () => wake?.();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        const from = next;
        const fresh = this.#kept.filter((call) => call.number >= from && fits(filter, call.plain));
        next = this.#number;
        const { skipped } = viewer;
        viewer.skipped = 0;
        if (fresh.length > 0 || skipped > 0) {
          const calls = fresh.map(({ plain, clear }) => (filter.reveals ? (clear ?? plain) : plain));
          yield { id: `${this.#epoch}-${next}`, data: { calls, skipped } };
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (signal.aborted || this.#number > next) resolve();
        });
        if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#leave(viewer);
    }
  }

  stop(): void {
    clearTimeout(this.#ending);
    this.#tap.listener = undefined;
  }

  /** The number of the first call that one has not seen; the last few for who is new. */
  #behind(last: string | undefined): number {
    const [epoch, number] = (last ?? '').split('-');
    if (epoch === this.#epoch && /^\d+$/.test(number ?? '')) return Number(number);
    return Math.max(0, this.#number - 50);
  }

  #enter(viewer: Viewer): void {
    clearTimeout(this.#ending);
    this.#viewers.add(viewer);
    this.#tap.listener = this;
  }

  #leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size > 0) return;
    this.#ending = setTimeout(() => {
      this.#tap.listener = undefined;
      this.#kept = [];
    }, grace).unref();
  }

  #keep(call: BegunCall, sets: readonly SentSet[], ending: CallEnding, at: Date): void {
    const number = this.#number++;
    const told = { id: `${this.#epoch}-${number}`, at };
    const reveals = [...this.#viewers].some(({ filter }) => filter.reveals);
    const plain = shownCall(call, sets, ending, { ...told, reveals: false });
    const clear = reveals ? shownCall(call, sets, ending, { ...told, reveals: true }) : undefined;
    this.#kept.push({ number, plain, clear });
    if (this.#kept.length > mostKept) this.#kept.splice(0, this.#kept.length - mostKept);
    for (const viewer of this.#viewers) viewer.wake();
  }
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Whether a call may fit, as far as its beginning tells. */
function mayFit(
  { own, procedure, login, database, session }: WireFilter,
  call: Pick<BegunCall, 'login' | 'name' | 'database' | 'session'>,
): boolean {
  if (own !== undefined && !same(own, call.login)) return false;
  if (session !== undefined && session !== call.session) return false;
  if (login !== undefined && !same(login, call.login)) return false;
  if (database !== undefined && !same(database, call.database)) return false;
  return procedure === undefined || call.name.toLowerCase().includes(procedure.toLowerCase());
}

function fits(filter: WireFilter, call: WireCall): boolean {
  if (!mayFit(filter, call)) return false;
  if (filter.ended !== undefined && (filter.ended === 'failed') !== (call.error !== null)) return false;
  return filter.slower === undefined || call.milliseconds >= filter.slower;
}
