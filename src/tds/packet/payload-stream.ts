import { brokenStream } from './header.ts';

/** The size of a block: large enough that passing one on costs nothing, small enough that a few need little memory. */
const blockSize = 128 * 1024;
/** The number of waiting blocks at which the socket is no longer read. */
const blocksAhead = 2;

const nobody = (): void => {};

/**
 * The payload of a message that is read while it arrives: bytes go in packet by packet and come out in blocks. It has
 * one reader; while that is behind, `isFull` says that no more should be read from the socket, and `onRoom` is called
 * when reading may continue.
 */
export class PayloadStream {
  /** How it ended: the message was complete, the client cancelled it, or its rest will never arrive. */
  ending: 'open' | 'whole' | 'ignored' | 'cut' = 'open';
  onRoom: () => void = nobody;
  /** The number of bytes that the reader keeps of what it has taken. */
  kept = 0;
  /**
   * The maximum size of the message in bytes: no value in the stream is larger, and no more is accepted after it was
   * discarded.
   */
  readonly limit: number;
  /** Blocks waiting for the reader, the block being filled, and blocks that can be filled again. */
  readonly #waiting: Buffer[] = [];
  #filling: Buffer | undefined;
  #filled = 0;
  readonly #free: Buffer[] = [];
  /** The block that the reader is using. */
  #lent: Buffer | undefined;
  #dropping = false;
  #dropped = 0;
  #wake: () => void = nobody;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The memory that it uses, including what its reader keeps. */
  get cost(): number {
    const blocks = this.#waiting.length + this.#free.length + (this.#lent ? 1 : 0) + (this.#filling ? 1 : 0);
    return blocks * blockSize + this.kept;
  }

  get isFull(): boolean {
    return this.#waiting.length >= blocksAhead;
  }

  /** Adds bytes, which are copied; 4002 if too many arrive after it was discarded. */
  push(payload: Buffer): void {
    if (this.#dropping) {
      this.#dropped += payload.length;
      if (this.#dropped > this.limit) throw brokenStream('A bulk load continues long after it was refused.');
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

  /** Ends the input; only the first call counts. */
  end(how: Exclude<PayloadStream['ending'], 'open'>): void {
    if (this.ending === 'open') this.ending = how;
    this.#wake();
  }

  /** The next bytes, valid until `next` is called again; undefined after the last. Rejects if the signal is aborted. */
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

  /** Discards waiting and future bytes; resolves at the end of the message. */
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
