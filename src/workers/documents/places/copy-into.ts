import type { FileHandle } from 'node:fs/promises';
import { WorkError } from '../work-error.ts';

const largestPiece = 1024 * 1024;

/** Copies a file that may grow meanwhile. */
export async function copyInto(
  target: FileHandle,
  source: FileHandle,
  largest: number,
  signal: AbortSignal,
): Promise<void> {
  // Most documents are small: a large piece for each would keep the garbage collector busy.
  const pieceSize = Math.min((await source.stat()).size + 1, largestPiece);
  const piece = Buffer.allocUnsafe(pieceSize);
  for (let at = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(piece, 0, pieceSize, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    if (at > largest) throw new WorkError('tooLarge', `The file has more than ${largest} bytes.`);
    for (let done = 0; done < bytesRead; ) {
      const { bytesWritten } = await target.write(piece, done, bytesRead - done);
      done += bytesWritten;
    }
  }
}
