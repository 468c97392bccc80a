/** Bytes of a piece of a long value: what is done with one takes a few milliseconds. An even number: none ends inside of a character of two. */
const pieceLength = 500_000;

/** Long bytes in pieces, which share their memory. */
export function* bytePiecesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}
