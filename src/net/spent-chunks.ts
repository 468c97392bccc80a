import { release } from '../base/memory/release.ts';

/** The overhead of a chunk besides its bytes: charged to clients that send bytes one by one. */
const chunkOverhead = 256;

/**
 * The chunks that a message was read from, which are released when the message is complete and has been copied into one
 * buffer. A message inside a single chunk is a view of it, and that chunk is left to the garbage collector.
 */
export class SpentChunks {
  #chunks: Buffer[] = [];
  #cost = 0;

  /** The memory that the chunks take, in bytes. */
  get cost(): number {
    return this.#cost;
  }

  /** Adds a chunk, whose packets are about to be parsed. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#cost += chunk.length + chunkOverhead;
  }

  /**
   * Must be called when a message is complete. Chunks before the last one have been read completely; the last one may
   * contain the start of the next message.
   */
  settle(payload: Buffer): void {
    const last = this.#chunks.pop();
    for (const chunk of this.#chunks) if (chunk.buffer !== payload.buffer) release(chunk);
    this.#chunks = last === undefined || last.buffer === payload.buffer ? [] : [last];
    this.#cost = this.#chunks.length === 0 ? 0 : (last?.length ?? 0) + chunkOverhead;
  }

  /** Must be called when the message is no longer needed. */
  drop(): void {
    this.#chunks = [];
    this.#cost = 0;
  }
}
