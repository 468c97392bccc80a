/** Smaller buffers are left to the collector: they cost little while they wait for it. */
const worthwhile = 16 * 1024;

/**
 * Gives the memory of a buffer back at once; nobody may use it, or a view of it, any more. The collector sees only the
 * small heads of large buffers and lets more than 100 MB of them pile up while gigabytes pass through the server.
 * A part of a larger buffer stays as it is: others may have the rest.
 */
export function release(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.length === buffer.byteLength && bytes.length >= worthwhile) {
    buffer.transfer(0);
  }
}
