import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { messageOf, OperatorError } from './errors.ts';

interface LogFileOptions {
  readonly path: string;
  /** Bytes at which the file is renamed and another begun; undefined leaves that to others. */
  readonly longest: number | undefined;
  /** The number of renamed files that are kept: `granary.log.1` is the newest. */
  readonly kept: number;
  /** Told what went wrong with the file: a log that cannot be written must not fail the call that logs. */
  complain(text: string): void;
}

/** A file that lines are appended to. */
export class LogFile implements Disposable {
  readonly #options: LogFileOptions;
  #file: number;
  #length: number;

  constructor(options: LogFileOptions) {
    this.#options = options;
    try {
      this.#file = openSync(options.path, 'a', 0o640);
    } catch (error) {
      throw new OperatorError(`The log file ${options.path} cannot be written: ${messageOf(error)}`);
    }
    this.#length = fstatSync(this.#file).size;
  }

  write(line: string): void {
    const { path, longest = Number.POSITIVE_INFINITY, complain } = this.#options;
    try {
      this.#length += writeSync(this.#file, line);
    } catch (error) {
      complain(`the log file ${path} cannot be written: ${messageOf(error)}\n${line.trimEnd()}`);
    }
    if (this.#length >= longest) this.#rotate();
  }

  /** Opens the file that has the name now: a log rotation has renamed the old one. */
  reopen(): void {
    const { path, complain } = this.#options;
    try {
      const file = openSync(path, 'a', 0o640);
      closeSync(this.#file);
      this.#file = file;
      this.#length = fstatSync(file).size;
    } catch (error) {
      complain(`the log file ${path} cannot be reopened: ${messageOf(error)}`);
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #rotate(): void {
    const { path, kept, complain } = this.#options;
    try {
      for (let number = kept - 1; number >= 1; number--) move(`${path}.${number}`, `${path}.${number + 1}`);
      if (kept > 0) move(path, `${path}.1`);
      else rmSync(path, { force: true });
    } catch (error) {
      complain(`the log file ${path} cannot be rotated: ${messageOf(error)}`);
    }
    this.reopen();
    // If the file cannot be renamed, logging continues in it until it has grown by the same size again.
    this.#length = 0;
  }
}

/** Renames a file that may not be there. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
