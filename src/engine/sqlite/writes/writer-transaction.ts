import type { StatementSync } from 'node:sqlite';
import type { Connection } from '../connection.ts';
import { isBusy } from '../errors.ts';
import type { Checkpoints } from '../log/checkpoints.ts';
import type { LogRoom } from '../log/log-room.ts';
import type { WriterOptions } from './writer-options.ts';

/** The transactions of a database's writer, which follow one another: the statements around those of calls. */
export class WriterTransaction {
  readonly #connection: Connection;
  readonly #checkpoints: Checkpoints;
  readonly #room: LogRoom;
  readonly #statements: Record<'begin' | 'savepoint' | 'release' | 'undo' | 'commit', StatementSync>;
  #commits = 0;
  #changes = 0;
  #broken: unknown;

  constructor({ connection, checkpoints, room }: Pick<WriterOptions, 'connection' | 'checkpoints' | 'room'>) {
    this.#connection = connection;
    this.#checkpoints = checkpoints;
    this.#room = room;
    this.#statements = {
      begin: connection.prepare('begin immediate'),
      savepoint: connection.prepare('savepoint call'),
      release: connection.prepare('release call'),
      undo: connection.prepare('rollback to call'),
      commit: connection.prepare('commit'),
    };
  }

  /** Changes whenever this process commits a change that calls can see, or another process any. */
  get version(): string {
    return `${this.#changes} ${this.#connection.othersVersion()}`;
  }

  /** The error that made the connection unusable for writing. */
  get broken(): unknown {
    return this.#broken;
  }

  /** Begins the transaction with the write lock; false while another process has that lock. */
  tryBegin(): boolean {
    try {
      this.#statements.begin.run();
    } catch (error) {
      if (isBusy(error)) return false;
      throw this.#connection.translated(error, 'begin immediate');
    }
    this.#room.make(this.#commits);
    this.#connection.hasChanged = false;
    return true;
  }

  save(): void {
    this.#statements.savepoint.run();
  }

  /** Ends the savepoint and keeps or undoes its changes. */
  leaveSavepoint(isKept: boolean): void {
    if (!isKept) this.#statements.undo.run();
    this.#statements.release.run();
  }

  /** Commits the transaction; returns the error if it failed. `isUnseen` is that of its calls. */
  commit(isUnseen = false): Error | undefined {
    const isSeen = this.#connection.hasChanged && !isUnseen;
    try {
      this.#statements.commit.run();
    } catch (error) {
      return this.#connection.translated(error, 'commit');
    }
    this.noteCommit(isSeen);
    return undefined;
  }

  /** Records a commit, which another process may have made on behalf of this one. */
  noteCommit(isSeen = true): void {
    this.#commits++;
    if (isSeen) this.#changes++;
    this.#checkpoints.committed(this.#connection.logPages());
  }

  rollback(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
    } catch (error) {
      // The state of the connection is unknown now, so nothing more is written through it.
      this.#broken = error;
    }
  }
}
