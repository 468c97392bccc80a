import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** Commits after which a database counts as one that is written to, and not only created. */
const busy = 500;

/** Bytes of the file: more than a log has when it starts over (`urgentBytes`), less than the file keeps then (`keptLog`). */
const enough = 48 * 1024 ** 2;

/** Bytes that are added per commit: its sync has to write them to disk. */
const step = 1024 ** 2;

/**
 * Makes the file of a log as long as it will become, before the log is. A sync of a file that has grown, or that was written
 * where it had no blocks, waits for the file system's own log too, which takes as long again; PostgreSQL fills its segments
 * for the same reason. Zeros are no frames, so whoever reads the log ends there.
 */
export class LogRoom {
  readonly #path: string;
  #isMade = false;

  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
  }

  /**
   * Adds some space, if it is wanted after that many commits. The caller has the write lock: nobody else extends the
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

  /** False when there is enough. */
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
