import type { Env } from '../evaluate/compiled.ts';
import { noRows } from '../evaluate/compiled.ts';
import type { Frame } from '../frame.ts';
import { attempt, newTurn, type Pause, pause } from './pause.ts';

/** Lets other sessions run, and the cancel of this one arrive. */
export async function giveWay(frame: Frame): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  newTurn();
  frame.throwIfCancelled();
}

/** The value of an expression outside a query, giving way as often as its subqueries want to. */
export async function inTurns<T>(evaluate: (env: Env) => T, frame: Frame, env: Env = noRows): Promise<T> {
  for (;;) {
    const value = attempt(evaluate, env);
    if (value !== pause) return value as T; // a symbol of our own is no value
    await giveWay(frame);
  }
}

/** Runs work to its end, giving way at its pauses. */
export async function finished<T>(work: Generator<Pause, T>, frame: Frame): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await giveWay(frame);
  }
}
