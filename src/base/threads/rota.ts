import { AsyncLocalStorage } from 'node:async_hooks';
import { sendNow } from './send-after-turn.ts';

/** The login on whose account the current code runs; undefined for none in particular. */
const worker = new AsyncLocalStorage<string>();

/** Milliseconds per round of the event loop that one login may use for requests sent ahead; tests change it. */
export const share = { quota: 5 };

/** Tasks that wait to continue, by login, in the order of the logins' next turns. */
const waiting = new Map<string, (() => void)[]>();
/** Milliseconds that each login has used in this round. */
const used = new Map<string, number>();
let round = 0;
let isServing = false;

/** Runs work on the account of a login: its turns count as that login's, however many tasks it has. */
export function workingFor<T>(who: string, work: () => T): T {
  return worker.getStore() === who ? work() : within(who, work);
}

/**
 * Sessions of one login usually come together and share one async context, which each would otherwise hold for as long
 * as it lasts.
 */
let last: { readonly who: string; enter<T>(work: () => T): T } | undefined;

function within<T>(who: string, work: () => T): T {
  if (last?.who !== who) last = { who, enter: worker.run(who, () => AsyncLocalStorage.snapshot()) };
  return last.enter(work);
}

/** The login on whose account the current code runs, or an empty string. */
export const currentWorker = (): string => worker.getStore() ?? '';

/**
 * Yields to other tasks. A task that has yielded continues in a later round of the event loop, so that incoming data is
 * processed in between. Turns alternate between logins, so that one with many sessions gets no more of them than
 * another.
 */
export function nextTurn(): Promise<void> {
  const who = currentWorker();
  return new Promise((resolve) => {
    const line = waiting.get(who);
    if (line === undefined) waiting.set(who, [resolve]);
    else line.push(resolve);
    if (isServing) return;
    isServing = true;
    // Two rounds: what is scheduled while incoming bytes are handled would otherwise run before the event loop polls
    // for more.
    setImmediate(() => setImmediate(serve));
  });
}

function serve(): void {
  // Responses completed since the last turn would otherwise wait for this one too.
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

/** The number of the current round of the event loop. */
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
 * Records the end of work that began in a round; true if its login has used up its share of this round and should
 * yield.
 */
export function hasHadItsShare(since: { readonly round: number; readonly began: number }): boolean {
  if (thisRound() !== since.round) return false;
  const who = currentWorker();
  const sum = (used.get(who) ?? 0) + performance.now() - since.began;
  used.set(who, sum);
  return sum >= share.quota;
}
