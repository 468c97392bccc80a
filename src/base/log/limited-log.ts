import type { Log, LogFields } from './log.ts';

/** The number of lines allowed in one burst, and the milliseconds after which as many are allowed again. */
interface Limit {
  readonly most: number;
  readonly period: number;
}

/** The limits per message, and per line: a message with identical fields, which need not be repeated. */
const ofMessage: Limit = { most: 50, period: 10_000 };
const ofLine: Limit = { most: 1, period: 60_000 };

/** The maximum number of messages and lines tracked; messages are constants in the source, of which there are fewer. */
const mostKnown = 500;

/** The recent occurrences of one message or line. */
interface Recent {
  readonly limit: Limit;
  /**
   * The fields that the summary of suppressed lines repeats: the message and, if all had the same, the other fields.
   */
  readonly told: LogFields;
  readonly since: number;
  written: number;
  leftOut: number;
}

/** A log, with the limiter that counts suppressed lines. */
interface LimitedLog extends Disposable {
  readonly log: Log;
  /** Logs how many lines were suppressed. */
  [Symbol.dispose](): void;
}

/**
 * A rate-limited log: a message that is repeated without end, by strangers who can cause it at will or by a disk that
 * fails every call, is logged a few times and then only counted, and an identical warning once a minute. Debug lines,
 * which come once per call by design, are not limited.
 */
export function limitedLog(log: Log, now: () => number = () => performance.now()): LimitedLog {
  // Tracked separately: strangers who cause ever new lines must not evict messages.
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

/** Decides which lines are logged. */
interface Admission {
  /** `fields` are given for a line that must not be repeated identically. */
  admits(message: string, fields?: LogFields): boolean;
  leftOut(): number;
}

/** A log whose lines, except debug lines, are only written if they are admitted. */
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
