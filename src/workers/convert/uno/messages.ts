/** A block states its length and its number of messages; LibreOffice sends one in each. */
const headSize = 8;
/** Anything longer is not a message of LibreOffice: none of its replies are long. */
const longest = 16 * 1024 * 1024;

/** Assembles the messages of a bridge from stream data. */
export class Messages {
  #left: Buffer = Buffer.alloc(0);

  /** The messages that are complete now. */
  *take(chunk: Buffer): Generator<Buffer, void> {
    this.#left = this.#left.length === 0 ? chunk : Buffer.concat([this.#left, chunk]);
    while (this.#left.length >= headSize) {
      const size = this.#left.readUInt32BE(0);
      if (size > longest || this.#left.readUInt32BE(4) !== 1) throw new Error('A block from LibreOffice is malformed.');
      if (this.#left.length < headSize + size) return;
      const message = this.#left.subarray(headSize, headSize + size);
      this.#left = this.#left.subarray(headSize + size);
      yield message;
    }
  }
}
