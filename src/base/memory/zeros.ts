const zeros = new Uint8Array(65_536);

/** True if only zeros follow; compared in blocks, since there may be millions. */
export function areZeros(bytes: Uint8Array, from = 0): boolean {
  for (let at = from; at < bytes.length; at += zeros.length) {
    const piece = bytes.subarray(at, at + zeros.length);
    if (Buffer.compare(piece, zeros.subarray(0, piece.length)) !== 0) return false;
  }
  return true;
}
