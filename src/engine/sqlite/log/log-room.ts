import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** Commits after which a database is considered to be in use, not merely created. */
const busy = 500;

/**
 * The target size of the file in bytes: more than the log has when it restarts (`urgentBytes`), less than the file
 * keeps then (`keptLog`).
 */
const enough = 48 * 1024 ** 2;

/** Bytes added per commit, since the next sync has to write them to disk. */
const step = 1024 ** 2;

/**
 * Preallocates the file of a write-ahead log. A sync of a file that has grown, or that was written where it had no
 * blocks, also waits for the journal of the file system, which takes the same time again; PostgreSQL preallocates its
 * WAL segments for the same reason. Zeros are no valid frames, so readers of the log stop there.
 */
export class LogRoom {
  readonly #path: string;
  #isMade = false;

  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
  }

  /**
   * Adds some space once there have been enough commits. The caller has the write lock, so nobody else extends the
   * file.
   */
  make(commits: number): void {
    if (this.#isMade || commits < busy) return;
    try {
      this.#isMade = !this.#add();
    } catch {
      // For example a full disk: a commit that needs the space will report it.
      this.#isMade = true;
    }
  }

  /** Returns false if there is enough. */
  #add(): boolean {
    const file = openSync(this.#path, 'r+');
    try {
      const { size } = fstatSync(file);
      if (size >= enough) return false;
      writeSync(file, Buffer.alloc(step), 0, step, size);
      return true;
    } finally {
      closeSync(file);
    }
  }
}
