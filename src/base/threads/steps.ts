import { Turn } from './turn.ts';

/** Work that can be interrupted where it yields. */
export type Steps<T> = Generator<void, T>;

/** Runs all steps at once, because the work is short or nobody else is waiting. */
export function atOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps and yields to others from time to time. */
export async function inTurns<T>(work: Steps<T>, turn: Turn): Promise<T> {
  for (;;) {
    const step = work.next();
    if (turn.isOver) await turn.giveWay();
    if (step.done) return step.value;
  }
}

/** The same for work that must not end half-way: cancellation is ignored. */
export const toTheEnd = <T>(work: Steps<T>): Promise<T> => inTurns(work, new Turn());
