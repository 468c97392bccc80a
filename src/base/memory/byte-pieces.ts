/**
 * The number of bytes in a piece of a long value, which takes a few milliseconds to process. It is even, so that no
 * piece ends inside a two-byte character.
 */
const pieceLength = 500_000;

/** Splits long bytes into pieces that share their memory. */
export function* bytePiecesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}
