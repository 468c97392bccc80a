import type { Connection } from '../connection.ts';
import type { FarTransaction } from '../far/far-transaction.ts';

/**
 * Where the statements of a transaction run: in this process and, from the first one that takes too long, in another.
 * To move, it rolls back its changes here and repeats them there; nobody else writes in between.
 */
export class Place {
  readonly #connection: Connection;
  readonly #go: (signal: AbortSignal | undefined) => Promise<FarTransaction>;
  #far: FarTransaction | undefined;
  #failure: unknown;
  /** Whether loaded rows are recorded in the journal; not needed for a call that does nothing but load rows. */
  readonly keepsLoads: boolean;
  /** Queries that are being read here; they could not be continued there. */
  open = 0;

  constructor(
    connection: Connection,
    keepsLoads: boolean,
    go: (signal: AbortSignal | undefined) => Promise<FarTransaction>,
  ) {
    this.#connection = connection;
    this.keepsLoads = keepsLoads;
    this.#go = go;
  }

  /** The transaction in another process, once there is one. */
  get far(): FarTransaction | undefined {
    return this.#far;
  }

  /** True once it has left this process. */
  get hasLeft(): boolean {
    return this.#far !== undefined || this.#failure !== undefined;
  }

  /** True while a statement may be aborted here to be run in another process. */
  get canMove(): boolean {
    return this.open === 0 && !this.#connection.journal.isLost;
  }

  /** True if it has to move before its next statement. */
  get mustMove(): boolean {
    return this.hasLeft || (this.#connection.journal.isFull && this.canMove);
  }

  /** The transaction in another process, started by the first caller. */
  async move(signal: AbortSignal | undefined): Promise<FarTransaction> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      this.#far ??= await this.#go(signal);
    } catch (error) {
      // Its changes here are rolled back, so nothing can follow.
      this.#failure ??= error;
      throw this.#failure;
    }
    // It was ended during the move.
    if (this.#failure !== undefined) {
      await this.#far.rollback();
      throw this.#failure;
    }
    return this.#far;
  }

  /** Aborts it, wherever it runs or is moving to; the work gets this error from its next statement. */
  cut(reason: Error): void {
    this.#failure ??= reason;
    this.#far?.cut(reason);
  }
}
