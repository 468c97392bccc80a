import { nextTurn } from './rota.ts';

/** How long work may keep other sessions waiting, in milliseconds; tests make it shorter. */
export const pace = { turnLength: 10 };

/**
 * The turn of one session on the event loop that all sessions share: work asks after every few small steps whether it
 * is over, and gives way when it is. Giving way is also when a cancel is heard.
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

  /** Lets others run; throws the reason of the abort when the work was cancelled meanwhile. */
  async giveWay(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
    this.#signal?.throwIfAborted();
  }
}
