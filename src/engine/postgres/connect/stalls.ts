import { messageOf } from '../../fault.ts';
import type { Link } from '../wire/link.ts';
import type { Session } from './open-session.ts';
import type { Server } from './server.ts';

/** Milliseconds between two checks of the connections in use. */
const lookEvery = 1000;

/** Milliseconds that a commit may take: a stalled disk cannot be distinguished from one that never recovers. */
const longestCommit = 60_000;

/** The observations of a connection in use. */
interface Watched {
  heard: number;
  /** When it last received something or was found to be executing, by `performance.now()`. */
  heardAt: number;
  /** How often the server reported it as idle. */
  idle: number;
}

/** Which of the given processes are executing a statement. */
const busy = `select pid from pg_stat_activity where pid = any($1) and state not like 'idle%'`;

/**
 * Finds connections that will never be answered, because the server is frozen or the network drops everything. A
 * statement may take any length of time, so the server is asked over another connection whether it is executing it.
 */
export class Stalls {
  readonly #server: Server;
  readonly #watched = new Map<Link, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(server: Server) {
    this.#server = server;
  }

  watch(link: Link): void {
    this.#watched.set(link, { heard: link.heard, heardAt: performance.now(), idle: 0 });
    this.#timer ??= setInterval(() => void this.#look(), lookEvery).unref();
  }

  forget(link: Link): void {
    this.#watched.delete(link);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const silent = this.#silent();
      if (silent.length > 0) this.#server.hungCopies.look();
      const servers = Map.groupBy(silent, ({ session: { at } }) => `${at.host} ${at.port}`);
      await Promise.all([...servers.values()].map((links) => this.#ask(links)));
    } finally {
      this.#looking = false;
    }
  }

  /** Connections that wait for an answer and have received nothing for a while. */
  #silent(): Link[] {
    const now = performance.now();
    const silent: Link[] = [];
    for (const [link, watched] of this.#watched) {
      const { askedAt, heard } = link;
      if (heard !== watched.heard || askedAt === undefined) Object.assign(watched, { heard, heardAt: now, idle: 0 });
      else if (link.isCommitting && now - askedAt > longestCommit) link.giveUp(noAnswer(now - askedAt));
      else if (now - Math.max(askedAt, watched.heardAt) > this.#server.address.silence) silent.push(link);
    }
    return silent;
  }

  async #ask(links: readonly Link[]): Promise<void> {
    const [first] = links;
    if (first === undefined) return;
    const working = await this.#working(first.session, links);
    for (const link of links) {
      const watched = this.#watched.get(link);
      // It may have been answered in the meantime.
      if (watched === undefined || link.heard !== watched.heard || link.askedAt === undefined) continue;
      if (working?.has(link.session.processId)) Object.assign(watched, { heardAt: performance.now(), idle: 0 });
      // A single report may be the moment between two statements.
      else if (working === undefined || ++watched.idle > 1) this.#giveUp(link);
    }
  }

  #giveUp(link: Link): void {
    const silence = performance.now() - (link.askedAt ?? 0);
    this.#server.log.warn('PostgreSQL does not answer; the connection is dropped', { milliseconds: silence });
    link.giveUp(noAnswer(silence));
  }

  /** The processes that are active; undefined if the server cannot even be asked. */
  async #working(session: Session, links: readonly Link[]): Promise<ReadonlySet<number> | undefined> {
    const processes = links.map((link) => link.session.processId);
    try {
      const { rows } = await this.#server.beside(session, ({ client }) =>
        client.query<{ pid: number }>(busy, [processes]),
      );
      return new Set(rows.map(({ pid }) => pid));
    } catch (error) {
      this.#server.log.warn('PostgreSQL cannot be asked which statements it is executing', { error: messageOf(error) });
      return undefined;
    }
  }
}

const noAnswer = (milliseconds: number): Error =>
  new Error(`connection dropped: no answer for ${Math.round(milliseconds / 1000)} s`);
