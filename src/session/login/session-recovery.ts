import type { LostSession, SessionStateValue } from '../../tds/message/session-recovery.ts';
import { isolationLevels, type SessionOptions, sameOptions } from '../../tsql/options.ts';
import { languageOf } from '../../values/languages.ts';
import type { Response } from '../requests/response.ts';
import type { SessionHost } from '../session-host.ts';

/** The states of a session, by their number on the wire. */
const ids = { options: 0, holdings: 1 } as const;

/** What differs from a fresh session's options, as JSON. */
const encoded = (changed: Partial<SessionOptions>): Uint8Array =>
  Object.keys(changed).length === 0 ? new Uint8Array() : Buffer.from(JSON.stringify(changed));

/**
 * Reports the options of the session to a client that requests session recovery, so that it can restore them on a new
 * connection if this one breaks. Anything else that a session holds (a transaction, temporary tables, cursors, locks)
 * cannot be recovered, which the client is also told.
 */
export class SessionRecovery {
  readonly #host: SessionHost;
  readonly #fresh: SessionOptions;
  #sequence = 0;
  #options = '';
  /** The options as they were when `#options` was made. */
  #seen: SessionOptions | undefined;
  #holds = false;

  /** A new session is given the options of the `lost` one. */
  constructor(host: SessionHost, lost: LostSession | undefined) {
    this.#host = host;
    this.#fresh = { ...host.options };
    const given = lost?.states.find(({ id }) => id === ids.options)?.value ?? new Uint8Array();
    this.#options = Buffer.from(given).toString();
    Object.assign(host.options, knownOptions(this.#options, this.#fresh));
  }

  /** Reports what has changed since the last report. */
  tell(response: Response): void {
    // This runs after every request, and hardly any request changes an option.
    if (this.#seen === undefined || !sameOptions(this.#seen, this.#host.options)) this.#tellOptions(response);
    const holds = this.#host.holdsWhatEnds;
    if (holds !== this.#holds) {
      this.#holds = holds;
      this.#say(response, !holds, { id: ids.holdings, value: Uint8Array.of(holds ? 1 : 0) });
    }
  }

  #tellOptions(response: Response): void {
    const options = encoded(this.#changed());
    const text = Buffer.from(options).toString();
    this.#seen = { ...this.#host.options };
    if (text === this.#options) return;
    this.#options = text;
    this.#say(response, true, { id: ids.options, value: options });
  }

  /** The session has been reset: the client takes it for a fresh one. */
  reset(): void {
    this.#options = '';
    this.#seen = undefined;
    this.#holds = false;
  }

  #changed(): Partial<SessionOptions> {
    const now = Object.entries(this.#host.options);
    const fresh = new Map<string, unknown>(Object.entries(this.#fresh));
    return Object.fromEntries(now.filter(([name, value]) => fresh.get(name) !== value));
  }

  #say(response: Response, recoverable: boolean, state: SessionStateValue): void {
    response.sessionState({ sequence: ++this.#sequence, recoverable, states: [state] });
  }
}

/** The ranges of options whose SET does not accept every number. */
const bounds: Readonly<Record<string, readonly [least: number, most?: number]>> = { dateFirst: [1, 7], rowCount: [0] };

/** The options in a text that a client sent back: only known ones, with values that SET could have set. */
function knownOptions(text: string, fresh: SessionOptions): Partial<SessionOptions> {
  const own = new Map<string, unknown>(Object.entries(fresh));
  const given = Object.entries(parsed(text));
  return Object.fromEntries(
    given.filter(([name, value]) => typeof value === typeof own.get(name) && isSane(name, value)),
  );
}

/** Words are checked one by one; every number that SET takes is a whole one, and some have bounds. */
function isSane(name: string, value: unknown): boolean {
  if (typeof value === 'number') {
    const [least, most] = bounds[name] ?? [];
    return Number.isInteger(value) && value >= (least ?? value) && value <= (most ?? value);
  }
  if (typeof value !== 'string') return typeof value === 'boolean';
  if (name === 'isolation') return Object.hasOwn(isolationLevels, value);
  if (name === 'dateFormat') return /^(?:mdy|dmy|ymd|ydm|myd|dym)$/.test(value);
  return name === 'language' && languageOf(value) !== undefined;
}

function parsed(text: string): object {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // not what this server sent: the session starts without it
  }
}
