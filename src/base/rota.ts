import { AsyncLocalStorage } from 'node:async_hooks';
import { sendNow } from './send-after-turn.ts';

/** For whom the code that runs now works: a login, or nobody in particular. */
const worker = new AsyncLocalStorage<string>();

/** Milliseconds of one round of the event loop that one login may fill with what it has sent ahead; tests change it. */
export const share = { quota: 5 };

/** Who waits, by login, in the order of their next turns. */
const waiting = new Map<string, (() => void)[]>();
/** Milliseconds that logins have used in this round. */
const used = new Map<string, number>();
let round = 0;
let isServing = false;

/** Does work for somebody: its turns are theirs, however many pieces of work they have. */
export function workingFor<T>(who: string, work: () => T): T {
  return worker.getStore() === who ? work() : within(who, work);
}

/** Sessions of one login come together: those share one context, which each would else hold for as long as it lasts. */
let last: { readonly who: string; enter<T>(work: () => T): T } | undefined;

function within<T>(who: string, work: () => T): T {
  if (last?.who !== who) last = { who, enter: worker.run(who, () => AsyncLocalStorage.snapshot()) };
  return last.enter(work);
}

/** For whom the code that runs now works. */
export const currentWorker = (): string => worker.getStore() ?? '';

/**
 * Gives way to others. One that has given way goes on in a round of the event loop, so that whatever comes in is looked at
 * between two of them; and turns go round among logins, so that one with many sessions has no more of them than another.
 */
export function nextTurn(): Promise<void> {
  const who = currentWorker();
  return new Promise((resolve) => {
    const line = waiting.get(who);
    if (line === undefined) waiting.set(who, [resolve]);
    else line.push(resolve);
    if (isServing) return;
    isServing = true;
    // Twice: what is set up while incoming bytes are handled runs before the event loop looks for more of them.
    setImmediate(() => setImmediate(serve));
  });
}

function serve(): void {
  // Whoever was answered since the last turn would else wait for this one too.
  sendNow();
  const [next] = waiting;
  if (next === undefined) {
    isServing = false;
    return;
  }
  const [who, line] = next;
  waiting.delete(who);
  const go = line.shift();
  if (line.length > 0) waiting.set(who, line);
  if (waiting.size > 0) setImmediate(serve);
  else isServing = false;
  go?.();
}

/** The round of the event loop that it is now. */
export function thisRound(): number {
  if (used.size === 0) {
    used.set('', 0);
    setImmediate(() => {
      used.clear();
      round++;
    });
  }
  return round;
}

/**
 * Notes that work which began in a round has ended; true when its login has had its share of this round and should
 * give way.
 */
export function hasHadItsShare(since: { readonly round: number; readonly began: number }): boolean {
  if (thisRound() !== since.round) return false;
  const who = currentWorker();
  const sum = (used.get(who) ?? 0) + performance.now() - since.began;
  used.set(who, sum);
  return sum >= share.quota;
}
