import type { Env } from '../evaluate/compiled.ts';

/** Stands among rows where a query gives way: whoever runs it lets other sessions have their turn, hears of a cancel, goes on. */
export const pause = Symbol('pause');
export type Pause = typeof pause;

/** How long a query may keep other sessions waiting, in milliseconds; tests make it shorter. */
export const pace = { turnLength: 10 };

/** How many steps pass between two looks at the clock, as long as steps are quick. */
const stepsBetweenLooks = 16;
/** Milliseconds between two looks after which steps are slow, and each is followed by a look. */
const slow = 1;

/** The turn of whoever runs now; it ends when the event loop comes round, or when another takes its own. */
let turn: { readonly began: number; looked: number } | undefined;
let steps = 0;
let stride = 1;

/** Tells, asked after every small step of any work, when it is time for a pause. */
export function isTurnOver(): boolean {
  if (++steps < stride) return false;
  steps = 0;
  const now = performance.now();
  if (turn === undefined) {
    turn = { began: now, looked: now };
    setImmediate(newTurn);
  }
  stride = now - turn.looked > slow ? 1 : stepsBetweenLooks;
  turn.looked = now;
  return now - turn.began >= pace.turnLength;
}

/** Whoever goes on after giving way has a whole turn, however long those had theirs who went on before it. */
export function newTurn(): void {
  turn = undefined;
  stride = 1;
}

/**
 * Thrown by a subquery in the midst of an expression when the turn is over. It remembers how far it came: whoever
 * evaluates the expression for the same row again, after a pause, lets it go on.
 */
export const unfinished = new Error('a subquery wants to give way');

/** The value of an expression for a row, or a pause, after which it is to be asked for again. */
export function attempt<T>(evaluate: (env: Env) => T, env: Env): T | Pause {
  try {
    return evaluate(env);
  } catch (error) {
    if (error === unfinished) return pause;
    throw error;
  }
}

/** The value of an expression for a row, with a pause wherever a subquery in it gives way. */
export function* settled<T>(evaluate: (env: Env) => T, env: Env): Generator<Pause, T> {
  for (;;) {
    const value = attempt(evaluate, env);
    if (value !== pause) return value as T; // a symbol of our own is no value
    yield pause;
  }
}

/** All rows at once; the pauses among them are passed on. */
export function* gathered<T>(rows: Iterable<T | Pause>): Generator<Pause, T[]> {
  const all: T[] = [];
  for (const row of rows) {
    if (row === pause) yield pause;
    else all.push(row as T); // a symbol of our own is no row
  }
  return all;
}
