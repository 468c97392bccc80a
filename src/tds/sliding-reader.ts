import { ByteReader } from './byte-reader.ts';
import { EndedEarly, malformed, noSubject, type Subject } from './stream-error.ts';

const firstCapacity = 64 * 1024;
/**
 * Above this size, the input must grow by a quarter before the next attempt: n bytes in tiny pieces then cost n, not n
 * squared.
 */
const retryFreely = 1024;

/**
 * Reads complete items (a token, a row) from bytes that arrive in chunks. It copies the chunks, so items are valid
 * until the next chunk is pushed, and memory holds no more than the longest item and a chunk.
 */
export class SlidingReader {
  readonly #limit: number;
  #buffer = Buffer.allocUnsafeSlow(firstCapacity);
  #end = 0;
  #bytes = new ByteReader(this.#buffer, 0, 0);
  #ended = false;
  /** The number of bytes that must be there before the next attempt. */
  #needed = 0;

  /** `limit` is the maximum size of one item. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What errors about the last item read name. */
  get subject(): Subject {
    return this.#bytes.subject;
  }

  /** The memory that it uses. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** Adds bytes; 4002 if an item exceeds the limit. */
  push(chunk: Uint8Array): void {
    const start = this.#bytes.position;
    const left = this.#end - start;
    if (left > this.#limit) throw malformed(`A row is over the limit of ${this.#limit} bytes.`);
    if (this.#end + chunk.length > this.#buffer.length) this.#makeRoom(start, left, chunk.length);
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
    this.#bytes = new ByteReader(this.#buffer, this.#end - chunk.length - left, this.#end);
  }

  /** Ends the input: an incomplete item is now an error. */
  end(): void {
    this.#ended = true;
  }

  /** The next item, or undefined if it has not arrived completely. */
  read<T>(parse: (bytes: ByteReader) => T): T | undefined {
    const bytes = this.#bytes;
    if (bytes.remaining === 0 || (!this.#ended && bytes.remaining < this.#needed)) return undefined;
    const start = bytes.position;
    try {
      const parsed = parse(bytes);
      this.#needed = 0;
      return parsed;
    } catch (error) {
      if (!(error instanceof EndedEarly) || this.#ended) throw error;
      bytes.rewind(start);
      bytes.subject = noSubject;
      this.#needed = bytes.remaining > retryFreely ? Math.ceil(bytes.remaining * 1.25) : 0;
      return undefined;
    }
  }

  /** Lets another parser process the available bytes: `take` returns the position at which it stopped. */
  scan(take: (buffer: Buffer, start: number, end: number) => number): void {
    const start = this.#bytes.position;
    const taken = take(this.#buffer, start, this.#end) - start;
    this.#bytes.skip(taken);
    if (taken > 0) this.#needed = 0;
  }

  /** Moves the remaining bytes to the front, of a larger buffer if necessary. */
  #makeRoom(start: number, left: number, more: number): void {
    if (left + more > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(left + more, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, start, this.#end);
      this.#buffer = larger;
    } else {
      this.#buffer.copyWithin(0, start, this.#end);
    }
    this.#end = left;
  }
}
