import { Turn } from './turn.ts';

/** Work that can be interrupted where it yields. */
export type Steps<T> = Generator<void, T>;

/** Does all of it at once: it is short, or nobody else is there. */
export function atOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Does it while giving way to others now and then. */
export async function inTurns<T>(work: Steps<T>, turn: Turn): Promise<T> {
  for (;;) {
    const step = work.next();
    if (turn.isOver) await turn.giveWay();
    if (step.done) return step.value;
  }
}

/** The same for what must not end half-way: no cancel is heard in between. */
export const toTheEnd = <T>(work: Steps<T>): Promise<T> => inTurns(work, new Turn());
