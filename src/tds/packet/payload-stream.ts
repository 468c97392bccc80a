import { brokenStream } from './header.ts';

/** Bytes of a block: large enough that handing one over does not count, small enough that a few cost little. */
const blockSize = 128 * 1024;
/** Blocks that may wait before the socket is no longer read. */
const blocksAhead = 2;

const nobody = (): void => {};

/**
 * The payload of a message that is read while it comes: bytes go in packet by packet and come out in blocks. One reader
 * takes them; while it is behind, `isFull` says that no more should be read from the socket, and `onRoom` that it may.
 */
export class PayloadStream {
  /** How it ended: the message is whole, the client took it back, or its rest never comes. */
  ending: 'open' | 'whole' | 'ignored' | 'cut' = 'open';
  onRoom: () => void = nobody;
  /** Bytes that the reader keeps of what it took. */
  kept = 0;
  /** The greatest message in bytes: no value in the stream is larger, and no more may come once nobody wants it. */
  readonly limit: number;
  /** Those that wait for the reader, the one that is being filled, and those that can be filled again. */
  readonly #waiting: Buffer[] = [];
  #filling: Buffer | undefined;
  #filled = 0;
  readonly #free: Buffer[] = [];
  /** The block that the reader has. */
  #lent: Buffer | undefined;
  #dropping = false;
  #dropped = 0;
  #wake: () => void = nobody;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The memory that it takes, with what its reader keeps. */
  get cost(): number {
    const blocks = this.#waiting.length + this.#free.length + (this.#lent ? 1 : 0) + (this.#filling ? 1 : 0);
    return blocks * blockSize + this.kept;
  }

  get isFull(): boolean {
    return this.#waiting.length >= blocksAhead;
  }

  /** Adds bytes, which are copied; 4002 when too many come that nobody wants. */
  push(payload: Buffer): void {
    if (this.#dropping) {
      this.#dropped += payload.length;
      if (this.#dropped > this.limit) throw brokenStream('A bulk load goes on long after it was refused.');
      return;
    }
    for (let at = 0; at < payload.length; ) {
      this.#filling ??= this.#free.pop() ?? Buffer.allocUnsafeSlow(blockSize);
      const copied = payload.copy(this.#filling, this.#filled, at);
      at += copied;
      this.#filled += copied;
      if (this.#filled === blockSize) this.#waiting.push(this.#takeFilled());
    }
    this.#wake();
  }

  /** Says that no more bytes come; the first to say so says how. */
  end(how: Exclude<PayloadStream['ending'], 'open'>): void {
    if (this.ending === 'open') this.ending = how;
    this.#wake();
  }

  /** The next bytes, good until `next` is called again; undefined after the last. Rejects when the signal is aborted. */
  async next(signal: AbortSignal): Promise<Buffer | undefined> {
    this.#takeBack();
    for (;;) {
      signal.throwIfAborted();
      const block = this.#waiting.shift() ?? (this.#filled > 0 ? this.#takeFilled() : undefined);
      if (block !== undefined) {
        this.#lent = block;
        this.onRoom();
        return block;
      }
      if (this.ending !== 'open') return undefined;
      await this.#change(signal);
    }
  }

  /** Drops what there is and what still comes; resolves when the message has ended. */
  async discard(): Promise<void> {
    this.#dropping = true;
    this.#waiting.length = 0;
    this.#free.length = 0;
    this.#filling = undefined;
    this.#filled = 0;
    this.onRoom();
    while (this.ending === 'open') await this.#change();
  }

  #takeFilled(): Buffer {
    const filled = this.#filling?.subarray(0, this.#filled) ?? Buffer.alloc(0);
    this.#filling = undefined;
    this.#filled = 0;
    return filled;
  }

  #takeBack(): void {
    if (this.#lent !== undefined) this.#free.push(Buffer.from(this.#lent.buffer));
    this.#lent = undefined;
  }

  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#wake = nobody;
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#wake = done;
      signal?.addEventListener('abort', done, { once: true });
    });
  }
}
