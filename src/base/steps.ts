/** Work that can be interrupted where it yields. */
export type Steps<T> = Generator<void, T>;

/** Does all of it at once: it is short, or nobody else is there. */
export function atOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
