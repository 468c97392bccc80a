import type { SqlError } from '../base/sql-error.ts';
import type { Argument } from './bind.ts';
import type { AnyProcedure } from './declare.ts';
import type { OutputValue } from './execute.ts';
import type { Column } from './sink.ts';

/** A call that begins: whose it is, where, of what, with what. */
export interface BegunCall {
  readonly session: number;
  readonly login: string;
  readonly host: string;
  readonly program: string;
  readonly database: string;
  /** Its name; `batch` for a batch of T-SQL. */
  readonly name: string;
  /** The declaration, where it has one. */
  readonly procedure?: AnyProcedure;
  readonly args: readonly Argument[];
}

/** A result set as it went out: its columns, and how many rows there were. */
export interface SentSet {
  readonly columns: readonly Column[];
  rows: number;
}

/** How a call ended. */
export interface CallEnding {
  /** The return code; undefined where there is none. */
  readonly status?: number;
  readonly outputs?: readonly OutputValue[];
  readonly error?: SqlError;
  readonly milliseconds: number;
}

/** A call that somebody looks at: its result sets are noted as they go out. */
export interface Recording {
  readonly sets: SentSet[];
  end(ending: CallEnding): void;
}

/** Somebody who looks at calls. */
export interface TapListener {
  /** Tells whether a call is looked at, before it runs. */
  begin(call: BegunCall): Recording | undefined;
}

/** A call that was refused, as operators see it later. */
interface RefusedCall extends Pick<BegunCall, 'session' | 'login' | 'database' | 'name'> {
  readonly at: Date;
  readonly number: number;
  readonly message: string;
}

/** Refused calls that are kept. */
const mostRefused = 100;

/** Where calls can be looked at as they come. While nobody does, a call pays for one look at `listener`. */
export class CallTap {
  listener: TapListener | undefined;
  readonly #refused: RefusedCall[] = [];

  /** Notes a call that was refused; the last ones are kept. */
  refuse(call: RefusedCall): void {
    this.#refused.push(call);
    if (this.#refused.length > mostRefused) this.#refused.shift();
  }

  /** Whether the error of a call is among the last of its session already: what a procedure refuses, its batch reports again. */
  isNoted({ session, number, name }: Pick<RefusedCall, 'session' | 'number' | 'name'>): boolean {
    const last = this.#refused.findLast((call) => call.session === session);
    return last?.number === number && last.name === name;
  }

  /** The last refused calls, the newest first. */
  get refused(): readonly RefusedCall[] {
    return this.#refused.toReversed();
  }
}
