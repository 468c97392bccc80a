import type { Log } from '../base/log/log.ts';
import type { Vouched } from '../base/vouched.ts';
import type { Client } from '../client/client.ts';
import type { RouteDeclaration } from './api/declare.ts';
import type { Fields, InferFields } from './api/schema.ts';
import type { WatchedServer } from './console-server.ts';
import type { Visit } from './visits.ts';

/** The roles that a login can have in the console; with none it sees the server, but no database. */
export type ConsoleRole = 'none' | 'reader' | 'writer' | 'admin';

/** How a visit of the console begins and ends, for the routes that do that. */
export interface Door {
  /** The caller's address, for the throttle of guesses. */
  readonly address: string;
  /** The visit of the caller's cookie; undefined for a caller that sends its password with every request. */
  readonly visit: Visit | undefined;
  /**
   * Who the caller proves to be as a Windows user (RFC 4559); refuses with what it is to send next until that is
   * proven.
   */
  negotiate(): Promise<Vouched>;
  /** Begins a visit of an authenticated user; the answer sets its cookie. */
  enter(who: Vouched): Promise<Visit>;
  /** Ends the visit; the answer takes the cookie away. */
  leave(): Promise<void>;
  /** Ends every visit through a login, and their streams. */
  expel(login: string): Promise<void>;
  /** When a visit ends if nothing more is asked. */
  ends(visit: Visit): Date;
}

/** What a handler gets besides what its route declares. */
export interface Asked {
  /** Who asks, spelled as the login was created. */
  readonly login: string;
  /** The logins whose roles it has. */
  readonly through: readonly string[];
  readonly role: ConsoleRole;
  /** A client of a database as that login, so that the server itself decides what it may. */
  client(database: string): Client;
  /** The same with a separate connection, read-only unless it `writes`; to be disposed. */
  apart(database: string, writes: boolean): Client;
  /** Aborted when the caller hangs up or the server stops. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly server: WatchedServer;
  readonly door: Door;
  /** The last event that a caller got before its stream of events broke. */
  readonly lastEventId: string | undefined;
}

/** An event and its position in its stream. */
export interface Event<E> {
  readonly id: string;
  readonly data: E;
  /** The data in JSON, if they are written once for many. */
  readonly text?: string;
}

/** A file that is handed out. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly body: Uint8Array | string | AsyncIterable<Uint8Array | string>;
}

/** What a handler gives back: the declared output, a stream of events, or a file. */
type Given<O, E> = Promise<unknown extends O ? (unknown extends E ? Download : never) : O> | AsyncIterable<Event<E>>;

interface Inputs<P extends Fields, Q extends Fields, B> extends Asked {
  readonly params: InferFields<P>;
  readonly query: InferFields<Q>;
  readonly body: B;
}

/** A declared route and what answers it. */
export interface Answering {
  readonly route: RouteDeclaration;
  handle(asked: Asked, parts: { params: unknown; query: unknown; body: unknown }): unknown;
}

/** Says what answers a route. */
export function answer<P extends Fields, Q extends Fields, B, O, E>(
  route: RouteDeclaration<P, Q, B, O, E>,
  handle: (asked: Inputs<P, Q, B>) => Given<O, E>,
): Answering {
  return {
    // Where routes are kept together, what each takes is known to its own handler alone.
    route: route as unknown as RouteDeclaration,
    handle: (asked, parts) =>
      // The parts were read by the schemas of this very route.
      handle({ ...asked, ...(parts as { params: InferFields<P>; query: InferFields<Q>; body: B }) }),
  };
}
