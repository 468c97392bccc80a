import type { SqlError } from '../base/messages/sql-error.ts';
import type { AnyProcedure } from './declare.ts';
import type { Argument } from './run/bind.ts';
import type { OutputValue } from './run/executed.ts';
import type { Column } from './run/sink.ts';

/** A call that begins: session, login, database, procedure and arguments. */
export interface BegunCall {
  readonly session: number;
  readonly login: string;
  readonly host: string;
  readonly program: string;
  readonly database: string;
  /** Its name; `batch` for a batch of T-SQL. */
  readonly name: string;
  /** The declaration, if it has one. */
  readonly procedure?: AnyProcedure;
  readonly args: readonly Argument[];
}

/** A result set as it was sent: its columns and the number of rows. */
export interface SentSet {
  readonly columns: readonly Column[];
  rows: number;
}

/** How a call ended. */
export interface CallEnding {
  /** The return code; undefined if there is none. */
  readonly status?: number;
  readonly outputs?: readonly OutputValue[];
  readonly error?: SqlError;
  readonly milliseconds: number;
}

/** A watched call: its result sets are recorded as they are sent. */
export interface Recording {
  readonly sets: SentSet[];
  end(ending: CallEnding): void;
}

/** A watcher of live calls. */
export interface TapListener {
  /** Decides, before it runs, whether a call is watched. */
  begin(call: BegunCall): Recording | undefined;
}

/** A refused call, as kept for operators. */
interface RefusedCall extends Pick<BegunCall, 'session' | 'login' | 'database' | 'name'> {
  readonly at: Date;
  readonly number: number;
  readonly message: string;
}

/** Calls that were refused for the same reason: the last of them, and their number. */
interface RefusedCalls extends RefusedCall {
  readonly times: number;
}

/** The number of refused calls to keep, and of those that differ. */
const mostRefused = 100;

const keyOf = ({ login, database, name, number, message }: RefusedCall): string =>
  JSON.stringify([login, database, name, number, message]);

/** Where live calls can be watched. While nobody does, a call only pays for one check of `listener`. */
export class CallTap {
  listener: TapListener | undefined;
  readonly #last: RefusedCall[] = [];
  /** In the order of their last calls. */
  readonly #refused = new Map<string, RefusedCalls>();

  /**
   * Records a refused call; the latest ones are kept. A client that tries again and again does not push out what others
   * did.
   */
  refuse(call: RefusedCall): void {
    this.#last.push(call);
    if (this.#last.length > mostRefused) this.#last.shift();
    const key = keyOf(call);
    const times = (this.#refused.get(key)?.times ?? 0) + 1;
    this.#refused.delete(key);
    this.#refused.set(key, { ...call, times });
    if (this.#refused.size > mostRefused) this.#refused.delete(this.#refused.keys().next().value ?? '');
  }

  /**
   * Whether the error of a call is already recorded for its session: the batch reports again what its procedure
   * refused.
   */
  isNoted({ session, number, name }: Pick<RefusedCall, 'session' | 'number' | 'name'>): boolean {
    const last = this.#last.findLast((call) => call.session === session);
    return last?.number === number && last.name === name;
  }

  /** The last refused calls, newest first; those refused for the same reason are combined. */
  get refused(): readonly RefusedCalls[] {
    return [...this.#refused.values()].reverse();
  }
}
