import { release } from '../base/release.ts';

/** What a chunk costs beside its bytes: a client that sends them one by one is charged for that. */
const chunkOverhead = 256;

/**
 * The chunks that a message was read from, whose memory goes when the message is whole and has been copied together. A
 * message that lies within a chunk is a view of it: that chunk is left to the collector.
 */
export class SpentChunks {
  #chunks: Buffer[] = [];
  #cost = 0;

  /** The memory that the chunks take, in bytes. */
  get cost(): number {
    return this.#cost;
  }

  /** A chunk has come; the packets in it are taken out now. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#cost += chunk.length + chunkOverhead;
  }

  /** A message is whole. Of the chunks before the last one nothing is left to read; the next message may begin in that. */
  settle(payload: Buffer): void {
    const last = this.#chunks.pop();
    for (const chunk of this.#chunks) if (chunk.buffer !== payload.buffer) release(chunk);
    this.#chunks = last === undefined || last.buffer === payload.buffer ? [] : [last];
    this.#cost = this.#chunks.length === 0 ? 0 : (last?.length ?? 0) + chunkOverhead;
  }

  /** The message that they belong to is not wanted any more. */
  drop(): void {
    this.#chunks = [];
    this.#cost = 0;
  }
}
