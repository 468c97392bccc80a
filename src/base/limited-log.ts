import type { Log, LogFields } from './log.ts';

/** Lines that may come at once, and so many milliseconds later again. */
interface Limit {
  readonly most: number;
  readonly period: number;
}

/** Of one message; and of one line, that is a message of which every field is the same: who knows it once knows it. */
const ofMessage: Limit = { most: 50, period: 10_000 };
const ofLine: Limit = { most: 1, period: 60_000 };

/** Messages, and lines, that are told apart: messages are constants of the source, of which there are fewer. */
const mostKnown = 500;

/** What came of one message, or line, lately. */
interface Recent {
  readonly limit: Limit;
  /** What the line says that was left out: the message and, where they were all the same, the fields. */
  readonly told: LogFields;
  readonly since: number;
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
 * that fails every call, is written some times and then counted; a warning that says the same as one before, once a minute.
 * Debug lines are one a call by intention, and all kept.
 */
export function limitedLog(log: Log, now: () => number = () => performance.now()): LimitedLog {
  // Apart: strangers who cause ever other lines must not keep messages from being known.
  const [messages, lines] = [new Map<string, Recent>(), new Map<string, Recent>()];
  let leftOut = 0;
  const settle = (recent: Map<string, Recent>, key: string, of: Recent) => {
    recent.delete(key);
    if (of.leftOut > 0) log.warn('lines were left out of the log', { ...of.told, count: of.leftOut });
  };
  const isOver = ({ since, limit }: Recent) => now() - since >= limit.period;
  const settleAll = (which: (of: Recent) => boolean) => {
    for (const recent of [messages, lines]) for (const [key, of] of recent) if (which(of)) settle(recent, key, of);
  };
  const timer = setInterval(() => settleAll(isOver), ofMessage.period).unref();
  const isWithin = (recent: Map<string, Recent>, key: string, limit: Limit, told: LogFields): boolean => {
    const known = recent.get(key);
    if (known !== undefined && isOver(known)) settle(recent, key, known);
    const of = recent.get(key) ?? { limit, told, since: now(), written: 0, leftOut: 0 };
    if (recent.size < mostKnown) recent.set(key, of);
    if (of.written < limit.most) {
      of.written++;
      return true;
    }
    of.leftOut++;
    leftOut++;
    return false;
  };
  const admits: Admission['admits'] = (message, fields) =>
    (fields === undefined ||
      isWithin(lines, `${message} ${JSON.stringify(fields)}`, ofLine, { ...fields, repeated: message })) &&
    isWithin(messages, message, ofMessage, { repeated: message });
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
  /** With the fields of a line that is not to be repeated. */
  admits(message: string, fields?: LogFields): boolean;
  leftOut(): number;
}

/** A log whose lines, but for debug ones, are written when they are admitted. */
class AdmittedLog implements Log {
  readonly #inner: Log;
  readonly #admission: Admission;
  readonly #fields: LogFields;

  constructor(inner: Log, admission: Admission, fields: LogFields = {}) {
    this.#inner = inner;
    this.#admission = admission;
    this.#fields = fields;
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
    if (this.#admission.admits(message, { ...this.#fields, ...fields })) this.#inner.warn(message, fields);
  }

  error(message: string, fields?: LogFields): void {
    if (this.#admission.admits(message, { ...this.#fields, ...fields })) this.#inner.error(message, fields);
  }

  with(fields: LogFields): Log {
    return new AdmittedLog(this.#inner.with(fields), this.#admission, { ...this.#fields, ...fields });
  }
}
