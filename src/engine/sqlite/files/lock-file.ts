import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../fault.ts';
import { codeOf, isBusy, isDamaged } from '../errors.ts';

/**
 * A file without contents whose locks, SQLite's, tell processes of each other: the system lets go of them when a
 * process dies.
 */
export class LockFile implements Disposable {
  readonly #path: string;
  readonly #file: DatabaseSync;

  constructor(path: string) {
    this.#path = path;
    this.#file = this.#named(() => new DatabaseSync(path, { timeout: 0 }));
  }

  /** Keeps everybody else off, unless somebody has a lock: then it says false. */
  tryExclusive(): boolean {
    try {
      this.exec('begin exclusive');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  exec(statements: string): void {
    this.#named(() => this.#file.exec(statements));
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  #named<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new LockFault(this.#path, error);
    }
  }
}

/** What SQLite says of such a file, with the name of it, which SQLite leaves out. */
export class LockFault extends Error {
  override readonly name = 'LockFault';
  readonly errcode: number | undefined;

  constructor(path: string, error: unknown) {
    const advice = isDamaged(error) ? '. It has no contents: remove it while nothing uses the folder' : '';
    // Told in place of what SQLite said: no cause.
    super(`${path} cannot be locked: ${messageOf(error)}${advice}`);
    this.errcode = codeOf(error);
  }
}
