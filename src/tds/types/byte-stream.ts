/** A large value that is streamed and never held in memory as a whole. */
export interface ByteStream {
  /** The total number of bytes. */
  readonly length: number;
  /** A chunk is only valid until the next one is requested. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** The first bytes of a stream, or all of it if it is no longer; what follows is not read. */
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
