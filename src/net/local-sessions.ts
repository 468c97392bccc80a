import { type Duplex, duplexPair } from 'node:stream';
import type { Log } from '../base/log/log.ts';
import { loginItself, type Vouched } from '../base/vouched.ts';
import type { ServerContext } from '../session/context.ts';
import { Session } from '../session/session.ts';
import { MemoryChannel } from './memory-channel.ts';
import type { SessionTable } from './session-table.ts';

/** What sessions without a socket need. */
interface LocalOptions {
  readonly context: ServerContext;
  readonly sessions: SessionTable;
  /** The maximum size of a message in bytes. */
  readonly maxMessage: number;
  readonly log: Log;
}

/** Sessions of clients in the same process, identical to those over a socket except for the socket. */
export class LocalSessions {
  readonly #options: LocalOptions;

  constructor(options: LocalOptions) {
    this.#options = options;
  }

  /**
   * Runs a session for an authenticated login or Windows user, optionally read-only; returns the client's end of the
   * stream.
   */
  attach(who: string | Vouched, isReadOnly = false): Duplex {
    const { context, sessions, maxMessage, log } = this.#options;
    const [ours, theirs] = duplexPair();
    // Unlike a socket, one end of a pair does not notice that the other has been closed.
    theirs.once('close', () => ours.destroy());
    ours.once('close', () => theirs.destroy());
    const spid = sessions.nextId();
    const channel = new MemoryChannel(ours, typeof who === 'string' ? loginItself(who) : who, maxMessage, isReadOnly);
    const session: Session = new Session(spid, channel, context, {
      full: false,
      heard: () => sessions.hear(session, channel.address),
      admitted: () => sessions.admit(session, channel.address),
    });
    sessions.add(session, channel.address);
    session
      .run()
      .catch((error: unknown) =>
        log.error('a session failed', {
          session: spid,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      )
      .finally(() => {
        sessions.delete(session, channel.address);
        ours.destroy();
      });
    return theirs;
  }
}
