import type { Connection } from './connection.ts';
import type { FarTransaction } from './far-transaction.ts';

/**
 * Where the statements of a transaction are run: here, and from the first one on that takes too long, in another process. It
 * gets there by undoing here what it has changed and doing it again there; nobody writes in between.
 */
export class Place {
  readonly #connection: Connection;
  readonly #go: (signal: AbortSignal | undefined) => Promise<FarTransaction>;
  #far: FarTransaction | undefined;
  #failure: unknown;
  /** Whether rows that are loaded count among the changes: a call that loads rows does nothing else. */
  readonly keepsLoads: boolean;
  /** Queries that are being read here; they could not be read on there. */
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

  /** True when it is not here any more, wherever it is. */
  get hasLeft(): boolean {
    return this.#far !== undefined || this.#failure !== undefined;
  }

  /** True while a statement may be ended here, to be run there. */
  get canMove(): boolean {
    return this.open === 0 && !this.#connection.journal.isLost;
  }

  /** True when it is to go there before its next statement. */
  get mustMove(): boolean {
    return this.hasLeft || (this.#connection.journal.isFull && this.canMove);
  }

  /** The transaction in another process, which begins with the first who asks for it. */
  async move(signal: AbortSignal | undefined): Promise<FarTransaction> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      this.#far ??= await this.#go(signal);
    } catch (error) {
      // What it did here is undone, so nothing can follow.
      this.#failure ??= error;
      throw this.#failure;
    }
    // Its end came while it was on its way.
    if (this.#failure !== undefined) {
      await this.#far.rollback();
      throw this.#failure;
    }
    return this.#far;
  }

  /** Ends it under the work, wherever it is or is on its way to, which gets this error from whatever it asks next. */
  cut(reason: Error): void {
    this.#failure ??= reason;
    this.#far?.cut(reason);
  }
}
