import type { Parameter } from '../../compile.ts';

/** A change in a form that can be repeated elsewhere. */
export interface Entry {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/** The maximum size of the journal; a transaction with more changes moves elsewhere, so that they need not be kept. */
const mostEntries = 50_000;
const mostBytes = 16 * 1024 * 1024;

/** The changes of an uncommitted transaction, in order. */
export class Journal {
  #entries: Entry[] = [];
  #bytes = 0;
  #isLost = false;

  /** True if so much has changed that the transaction should move. */
  get isFull(): boolean {
    return this.#entries.length >= mostEntries || this.#bytes >= mostBytes;
  }

  /** True if changes were made that were not recorded, so that they cannot be repeated elsewhere. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** True if no change was recorded. */
  get isEmpty(): boolean {
    return this.#entries.length === 0 && !this.#isLost;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  add(text: string, parameters: readonly Parameter[]): void {
    if (this.#isLost) return;
    this.#entries.push({ text, parameters });
    for (const value of parameters)
      if (typeof value === 'string' || value instanceof Uint8Array) this.#bytes += value.length;
  }

  /** Stops recording. */
  lose(): void {
    this.clear();
    this.#isLost = true;
  }

  clear(): void {
    if (this.#entries.length > 0) this.#entries = [];
    this.#bytes = 0;
    this.#isLost = false;
  }
}
