import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { systemCode } from '../../../base/system-code.ts';

/** As much as the largest page of a file. */
const probe = Buffer.alloc(64 * 1024);

/** Codes of the system for what has no room: on the disk, in a quota, below the largest size of a file. */
const noRoom: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Why nothing can be written where a database lies; undefined if something can. SQLite reports the same for every cause
 * but a full disk, and Node not what the system said. Written is a file beside it, where the longer one of the database
 * and its log ends, so that it meets the same limits.
 */
export function writeFault(path: string): Error | undefined {
  const beside = `${path}-probe`;
  const end = Math.max(lengthOf(path), lengthOf(`${path}-wal`));
  try {
    const file = openSync(beside, 'w', 0o600);
    try {
      // Near a limit, what still fits is written without an error.
      for (let at = 0; at < probe.length; ) at += writeSync(file, probe, at, probe.length - at, end + at);
    } finally {
      closeSync(file);
      rmSync(beside, { force: true });
    }
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

/** Whether there was no room. */
export const isNoRoom = (fault: Error | undefined): boolean => noRoom.has(codeOf(fault));

/** Whether the file system is read-only. */
export const isReadOnly = (fault: Error | undefined): boolean => codeOf(fault) === 'EROFS';

const codeOf = (fault: Error | undefined): string => (fault && systemCode(fault)) ?? '';

const lengthOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
