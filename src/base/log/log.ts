import { withoutOrders } from '../text/without-orders.ts';

/** The fields of a log line: names and numbers, never a password or a document. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes JSON lines; `with` returns a logger whose lines all carry the given fields. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  with(fields: LogFields): Log;
  /** True if debug lines are written; what only they need is not computed otherwise. */
  readonly verbose: boolean;
  /** The number of suppressed lines, if repetition is limited. */
  readonly leftOut?: number;
}

const order: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Passes lines of at least `level` to `write`, one JSON object per line. */
export function jsonLog(write: (line: string) => void, level: LogLevel = 'info', fixed: LogFields = {}): Log {
  return new JsonLog(write, level, fixed);
}

/** A class, so that methods are shared: every connection has its own log. */
class JsonLog implements Log {
  readonly #write: (line: string) => void;
  readonly #level: LogLevel;
  readonly #fixed: LogFields;

  constructor(write: (line: string) => void, level: LogLevel, fixed: LogFields) {
    this.#write = write;
    this.#level = level;
    this.#fixed = fixed;
  }

  get verbose(): boolean {
    return this.#level === 'debug';
  }

  debug(message: string, fields?: LogFields): void {
    this.#line('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#line('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#line('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#line('error', message, fields);
  }

  with(fields: LogFields): Log {
    return new JsonLog(this.#write, this.#level, { ...this.#fixed, ...fields });
  }

  #line(level: LogLevel, message: string, fields: LogFields | undefined): void {
    if (order[level] < order[this.#level]) return;
    const time = new Date().toISOString();
    this.#write(`${withoutOrders(JSON.stringify({ time, level, message, ...this.#fixed, ...fields }))}\n`);
  }
}

/** A log that discards everything. */
export const silentLog: Log = jsonLog(() => {}, 'error');
