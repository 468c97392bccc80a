import { ByteReader } from './byte-reader.ts';
import { EndedEarly } from './stream-error.ts';

/** Above this size, the input must double before the next attempt: a value of n bytes then costs n, not n squared. */
const retryFreely = 64 * 1024;

/** Reads complete items (a token, a row) from bytes that arrive in chunks of any size. */
export class ChunkedReader {
  #bytes = new ByteReader(Buffer.alloc(0));
  #left: Buffer[] = [];
  #leftSize = 0;
  #needed = 0;
  #ended = false;

  /** What errors about the last item read name. */
  get subject(): ByteReader['subject'] {
    return this.#bytes.subject;
  }

  push(chunk: Buffer): void {
    this.#left.push(chunk);
    this.#leftSize += chunk.length;
  }

  /** Ends the input: an incomplete item is now an error. */
  end(): void {
    this.#ended = true;
  }

  /** The next item, or undefined if it has not arrived completely. */
  read<T>(parse: (bytes: ByteReader) => T): T | undefined {
    if (!this.#ended && this.#bytes.remaining + this.#leftSize < this.#needed) return undefined;
    if (this.#leftSize > 0) this.#join();
    const bytes = this.#bytes;
    if (bytes.remaining === 0) return undefined;
    const start = bytes.position;
    try {
      const parsed = parse(bytes);
      this.#needed = 0;
      return parsed;
    } catch (error) {
      if (!(error instanceof EndedEarly) || this.#ended) throw error;
      bytes.rewind(start);
      this.#needed = bytes.remaining > retryFreely ? bytes.remaining * 2 : 0;
      return undefined;
    }
  }

  #join(): void {
    const rest = this.#bytes.bytes(this.#bytes.remaining);
    const all = rest.length === 0 && this.#left.length === 1 ? this.#left[0] : undefined;
    this.#bytes = new ByteReader(all ?? Buffer.concat([rest, ...this.#left], rest.length + this.#leftSize));
    this.#left = [];
    this.#leftSize = 0;
  }
}
