import { ByteReader } from './byte-reader.ts';
import { EndedEarly, malformed, noSubject, type Subject } from './stream-error.ts';

const firstCapacity = 64 * 1024;
/** From this size on, what waits must grow by a quarter before another try: n bytes in tiny pieces then cost n, not n squared. */
const retryFreely = 1024;

/**
 * Reads whole things (a token, a row) from bytes that come in chunks, which it copies: what was read is good until the
 * next chunk is pushed, and memory holds no more than the longest thing and a chunk.
 */
export class SlidingReader {
  readonly #limit: number;
  #buffer = Buffer.allocUnsafeSlow(firstCapacity);
  #end = 0;
  #bytes = new ByteReader(this.#buffer, 0, 0);
  #ended = false;
  /** Bytes that must be there before another try is worth it. */
  #needed = 0;

  /** `limit` is the greatest size of one thing. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What an error about the last thing read should name. */
  get subject(): Subject {
    return this.#bytes.subject;
  }

  /** The memory that it takes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** Adds bytes; 4002 when those of one thing are over the limit. */
  push(chunk: Uint8Array): void {
    const start = this.#bytes.position;
    const left = this.#end - start;
    if (left > this.#limit) throw malformed(`A row is over the limit of ${this.#limit} bytes.`);
    if (this.#end + chunk.length > this.#buffer.length) this.#makeRoom(start, left, chunk.length);
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
    this.#bytes = new ByteReader(this.#buffer, this.#end - chunk.length - left, this.#end);
  }

  /** Says that nothing more comes: what is incomplete is now an error. */
  end(): void {
    this.#ended = true;
  }

  /** The next thing, or undefined when its bytes are not all there yet. */
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

  /** Lets somebody else take what he can of the bytes that are there: `take` returns where he stopped. */
  scan(take: (buffer: Buffer, start: number, end: number) => number): void {
    const start = this.#bytes.position;
    const taken = take(this.#buffer, start, this.#end) - start;
    this.#bytes.skip(taken);
    if (taken > 0) this.#needed = 0;
  }

  /** Moves what is left to the front, of a larger buffer if need be. */
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
