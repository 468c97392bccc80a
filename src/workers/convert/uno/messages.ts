/** A block says how long it is and how many messages are in it; the office puts one into each. */
const headSize = 8;
/** What is longer than this is no message of the office: nothing that is asked of it has long answers. */
const longest = 16 * 1024 * 1024;

/** Puts the messages of a bridge together out of what the stream brings. */
export class Messages {
  #left: Buffer = Buffer.alloc(0);

  /** The messages that are whole now. */
  *take(chunk: Buffer): Generator<Buffer, void> {
    this.#left = this.#left.length === 0 ? chunk : Buffer.concat([this.#left, chunk]);
    while (this.#left.length >= headSize) {
      const size = this.#left.readUInt32BE(0);
      if (size > longest || this.#left.readUInt32BE(4) !== 1) throw new Error('A block of the office is out of order.');
      if (this.#left.length < headSize + size) return;
      const message = this.#left.subarray(headSize, headSize + size);
      this.#left = this.#left.subarray(headSize + size);
      yield message;
    }
  }
}
