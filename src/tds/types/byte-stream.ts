/** A large value that comes in pieces and never sits in memory as a whole. */
export interface ByteStream {
  /** The bytes that the chunks have together. */
  readonly length: number;
  /** A chunk is only good until the next one is asked for. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** The first bytes of a stream, or all of one that is no longer; what comes behind them is not read. */
export function firstBytes(stream: ByteStream, limit: number): ByteStream {
  if (stream.length <= limit) return stream;
  return {
    length: limit,
    async *chunks() {
      let left = limit;
      for await (const chunk of stream.chunks()) {
        yield chunk.subarray(0, left);
        left -= Math.min(left, chunk.length);
        if (left === 0) return;
      }
    },
  };
}
