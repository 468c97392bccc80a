import type { Writable } from 'node:stream';
import { onOneLine } from '../base/text/without-orders.ts';

const width = 30;

/** A progress bar that redraws itself on a terminal; nothing if the output is not a terminal. */
export class ProgressBar implements Disposable {
  readonly #out: Writable & { readonly isTTY?: boolean };
  #drawn = 0;
  #last = '';

  constructor(out: Writable & { readonly isTTY?: boolean }) {
    this.#out = out;
  }

  /** Shows what is being done and the share of it that is; at most ten times a second. */
  readonly show = (what: string, share: number): void => {
    if (this.#out.isTTY !== true) return;
    const now = performance.now();
    if (now - this.#drawn < 100 && share < 1) return;
    this.#drawn = now;
    const full = Math.round(share * width);
    this.#last = `${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(share * 100)} % ${onOneLine(what)}`;
    this.#out.write(`\r\x1b[K${this.#last}`);
  };

  [Symbol.dispose](): void {
    if (this.#last !== '') this.#out.write('\r\x1b[K');
  }
}
