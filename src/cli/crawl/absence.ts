import { SqlError } from '../../base/messages/sql-error.ts';
import { ClientError } from '../../client/client-error.ts';
import { messageOf, OperatorError } from '../errors.ts';

/** Milliseconds that a server may be away before nobody waits for it any longer. */
const longest = 300_000;

/** True for an error of a server that is unavailable and may return. */
const isAway = (error: unknown): boolean =>
  error instanceof ClientError
    ? error.code === 'connect' || error.code === 'lost'
    : error instanceof SqlError && error.number === 40613;

/** The absence of a server while a crawl is watched: it is reported once, and waited for. */
export class Absence {
  readonly #say: (text: string) => void;
  readonly #crawl: number;
  readonly #longest: number;
  #since: number | undefined;

  constructor(say: (text: string) => void, crawl: number, most = longest) {
    this.#say = say;
    this.#crawl = crawl;
    this.#longest = most;
  }

  /** The result of some work; undefined while the server is unavailable. */
  async through<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      if (this.#since !== undefined) this.#say('The server is back.');
      this.#since = undefined;
      return result;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (this.#since === undefined) this.#say(`${messageOf(error)}. Waiting for it.`);
      this.#since ??= performance.now();
      if (performance.now() - this.#since < this.#longest) return undefined;
      throw new OperatorError(
        `${messageOf(error)}. Crawl ${this.#crawl} keeps its state: granary crawl resume continues it.`,
        { cause: error },
      );
    }
  }
}
