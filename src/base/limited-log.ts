import type { Log, LogFields } from './log.ts';

/** Lines of one message that may come at once, and so many milliseconds later again. */
const most = 50;
const period = 10_000;

/** Messages that are told apart; they are constants of the source, of which there are fewer. */
const mostMessages = 500;

/** What came of one message lately. */
interface Recent {
  since: number;
  written: number;
  leftOut: number;
}

/** A log, and what counts the lines that it leaves out. */
interface LimitedLog extends Disposable {
  readonly log: Log;
  /** Writes down how many lines were left out. */
  [Symbol.dispose](): void;
}

/**
 * A log in which a message that is repeated without end, by strangers who may cause it as often as they like or by a disk
 * that fails every call, is written some times and then counted. Debug lines are one a call by intention, and all kept.
 */
export function limitedLog(log: Log, now: () => number = () => performance.now()): LimitedLog {
  const recent = new Map<string, Recent>();
  let leftOut = 0;
  const settle = (message: string, of: Recent) => {
    recent.delete(message);
    if (of.leftOut > 0) log.warn('lines were left out of the log', { repeated: message, count: of.leftOut });
  };
  const settleAll = (isOver: (of: Recent) => boolean) => {
    for (const [message, of] of recent) if (isOver(of)) settle(message, of);
  };
  const timer = setInterval(() => settleAll(({ since }) => now() - since >= period), period).unref();
  const admits = (message: string): boolean => {
    const known = recent.get(message);
    if (known !== undefined && now() - known.since >= period) settle(message, known);
    const of = recent.get(message) ?? { since: now(), written: 0, leftOut: 0 };
    if (recent.size < mostMessages) recent.set(message, of);
    if (of.written < most) {
      of.written++;
      return true;
    }
    of.leftOut++;
    leftOut++;
    return false;
  };
  return {
    log: new AdmittedLog(log, { admits, leftOut: () => leftOut }),
    [Symbol.dispose]: () => {
      clearInterval(timer);
      settleAll(() => true);
    },
  };
}

/** What decides which lines are written. */
interface Admission {
  admits(message: string): boolean;
  leftOut(): number;
}

/** A log whose lines, but for debug ones, are written when they are admitted. */
class AdmittedLog implements Log {
  readonly #inner: Log;
  readonly #admission: Admission;

  constructor(inner: Log, admission: Admission) {
    this.#inner = inner;
    this.#admission = admission;
  }

  get verbose(): boolean {
    return this.#inner.verbose;
  }

  get leftOut(): number {
    return this.#admission.leftOut();
  }

  debug(message: string, fields?: LogFields): void {
    this.#inner.debug(message, fields);
  }

  info(message: string, fields?: LogFields): void {
    if (this.#admission.admits(message)) this.#inner.info(message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    if (this.#admission.admits(message)) this.#inner.warn(message, fields);
  }

  error(message: string, fields?: LogFields): void {
    if (this.#admission.admits(message)) this.#inner.error(message, fields);
  }

  with(fields: LogFields): Log {
    return new AdmittedLog(this.#inner.with(fields), this.#admission);
  }
}
