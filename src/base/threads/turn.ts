import { nextTurn } from './rota.ts';

/** The maximum time in milliseconds for which work may keep other sessions waiting; tests shorten it. */
export const pace = { turnLength: 10 };

/**
 * The time slice of one session on the event loop that all sessions share: work checks after every few small steps
 * whether it is over, and yields if so. Cancellation takes effect when it yields.
 */
export class Turn {
  readonly #signal: AbortSignal | undefined;
  #began = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() - this.#began >= pace.turnLength;
  }

  /** Yields to others; throws the abort reason if the work was cancelled in the meantime. */
  async giveWay(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
    this.#signal?.throwIfAborted();
  }
}
