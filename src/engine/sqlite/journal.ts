import type { Parameter } from '../compile.ts';

/** A change that was made, as it can be made again elsewhere. */
export interface Entry {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/** What is kept at most; who changes more than that goes on elsewhere, so that it need not be kept. */
const mostEntries = 50_000;
const mostBytes = 16 * 1024 * 1024;

/** The changes of a transaction that has not been committed, in their order. */
export class Journal {
  #entries: Entry[] = [];
  #bytes = 0;
  #isLost = false;

  /** True when so much has changed that it is time to go elsewhere. */
  get isFull(): boolean {
    return this.#entries.length >= mostEntries || this.#bytes >= mostBytes;
  }

  /** True when changes were made that are not kept, so that nobody can make them elsewhere. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** True when nothing has changed that can be told. */
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

  /** Gives up: what follows is not kept. */
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
