import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Puts a file, or the names in a folder, on disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
