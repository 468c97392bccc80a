/** A large value that comes in pieces and never sits in memory as a whole. */
export interface ByteStream {
  /** The bytes that the chunks have together. */
  readonly length: number;
  chunks(): AsyncIterable<Uint8Array>;
}
