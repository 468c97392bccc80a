import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** Commits after which a database is one that is written to, and not only made. */
const busy = 500;

/** Bytes of the file: more than a log has when it starts over (`urgentBytes`), less than the file keeps then (`keptLog`). */
const enough = 48 * 1024 ** 2;

/** Bytes that are added with a commit: its sync has to put them on disk. */
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

  /** Adds some room, if it is wanted after so many commits. Who calls has the write lock: nobody else makes the file longer. */
  make(commits: number): void {
    if (this.#isMade || commits < busy) return;
    try {
      this.#isMade = !this.#add();
    } catch {
      // A disk that is full, say: whoever needs the room for a commit hears of it.
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
