/** Smaller buffers are left to the garbage collector: they cost little until it frees them. */
const worthwhile = 16 * 1024;

/**
 * Frees the memory of a buffer immediately; neither it nor any view of it may be used afterwards. The garbage collector
 * sees only the small heads of large buffers and lets more than 100 MB of them pile up while gigabytes pass through the
 * server. A part of a larger buffer is left alone, since others may use the rest.
 */
export function release(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.length === buffer.byteLength && bytes.length >= worthwhile) {
    buffer.transfer(0);
  }
}
