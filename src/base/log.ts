import { withoutOrders } from './without-orders.ts';

/** What a log line may carry besides its message: names and numbers, never a password or a document. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes JSON lines; `with` returns a logger whose lines all carry the given fields. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  with(fields: LogFields): Log;
  /** True when debug lines are kept; what only they need is not worked out otherwise. */
  readonly verbose: boolean;
  /** Lines that were counted instead of written, where repetition is limited. */
  readonly leftOut?: number;
}

const order: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** A log whose lines of at least `level` go to `write`, one JSON object a line. */
export function jsonLog(write: (line: string) => void, level: LogLevel = 'info', fixed: LogFields = {}): Log {
  return new JsonLog(write, level, fixed);
}

/** A class, and its methods shared: every connection has a log of its own. */
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

/** A log that keeps nothing. */
export const silentLog: Log = jsonLog(() => {}, 'error');
