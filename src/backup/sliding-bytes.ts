import type { Readable } from 'node:stream';
import { BadArchive } from './bad-archive.ts';

/** Reads bytes from the front of an archive's stream: exactly that many, or as they arrive. */
export class SlidingBytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  readonly #path: string;

  constructor(stream: Readable, path: string) {
    this.#path = path;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async exactly(count: number): Promise<Buffer> {
    const parts = await Array.fromAsync(this.upTo(count));
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  /** That many bytes, as they arrive; fails if the stream ends before. */
  async *upTo(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async #next(): Promise<Buffer> {
    try {
      const next = await this.#chunks.next();
      if (!next.done) return next.value;
    } catch (error) {
      throw this.#broken(error instanceof Error ? error.message : String(error));
    }
    throw this.#broken('it ends too early');
  }

  #broken(why: string): BadArchive {
    const meaning = 'It is truncated or damaged, or was not written by Granary; use another one';
    return new BadArchive(`${this.#path} is not a complete backup: ${why}. ${meaning}.`);
  }
}
