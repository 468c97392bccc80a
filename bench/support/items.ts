import { pick } from './load.ts';

/** How many jobs there are, and how many items in each. */
export interface Size {
  readonly jobs: number;
  readonly itemsInAJob: number;
}

/** What names an item: its job and its place in the job's one group, both counted from 1. */
export interface Item {
  readonly job: number;
  readonly item: number;
}

/** In which order items are finished. */
export type Order = 'as handed out' | 'at random';

/**
 * The items that many clients finish. Workers get their items in batches, oldest job first, so those that finish at the
 * same time are neighbours: `as handed out` goes through all of them in that order, each once.
 */
export class Items {
  readonly #size: Size;
  #taken = 0;

  constructor(size: Size) {
    this.#size = size;
  }

  /** How many were handed out. */
  get taken(): number {
    return this.#taken;
  }

  /** Leaves out so many that others have finished. */
  leaveOut(count: number): void {
    this.#taken += count;
  }

  next(order: Order): Item {
    const { jobs, itemsInAJob } = this.#size;
    if (order === 'at random') return { job: pick(jobs), item: pick(itemsInAJob) };
    const index = this.#taken++ % (jobs * itemsInAJob);
    return { job: 1 + Math.floor(index / itemsInAJob), item: 1 + (index % itemsInAJob) };
  }
}
