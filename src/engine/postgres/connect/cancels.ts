import { messageOf } from '../../fault.ts';
import type { Session } from './open-session.ts';
import type { Server } from './server.ts';

/** Statements of one server that are to be cancelled together. */
interface Round {
  readonly session: Session;
  readonly processes: number[];
  readonly done: Promise<void>;
}

const stop = 'select pg_cancel_backend(pid) from unnest($1::int[]) pid';

/**
 * Cancels statements over a separate session: one at a time, for everything that is to be cancelled by then, so that
 * many clients that cancel at once do not use up the server's connections.
 */
export class Cancels {
  readonly #server: Server;
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Round>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** Resolves when the server has been asked, or could not be. */
  cancel(session: Session): Promise<void> {
    const key = `${session.at.host} ${session.at.port}`;
    const waiting = this.#next.get(key);
    if (waiting !== undefined) {
      waiting.processes.push(session.processId);
      return waiting.done;
    }
    const done = (this.#running.get(key) ?? Promise.resolve()).then(() => this.#run(key));
    this.#next.set(key, { session, processes: [session.processId], done });
    return done;
  }

  async #run(key: string): Promise<void> {
    const round = this.#next.get(key);
    if (round === undefined) return;
    this.#next.delete(key);
    this.#running.set(key, round.done);
    try {
      await this.#server.beside(round.session, ({ client }) => client.query(stop, [round.processes]));
    } catch (error) {
      this.#server.log.warn('a PostgreSQL statement could not be cancelled', { error: messageOf(error) });
    } finally {
      if (this.#running.get(key) === round.done && !this.#next.has(key)) this.#running.delete(key);
    }
  }
}
