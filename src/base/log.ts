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
  const at = (line: LogLevel) => (message: string, fields?: LogFields) => {
    if (order[line] < order[level]) return;
    write(`${JSON.stringify({ time: new Date().toISOString(), level: line, message, ...fixed, ...fields })}\n`);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => jsonLog(write, level, { ...fixed, ...fields }),
    verbose: level === 'debug',
  };
}

/** A log that keeps nothing. */
export const silentLog: Log = jsonLog(() => {}, 'error');
