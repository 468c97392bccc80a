import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log/log.ts';
import type { Measures } from '../base/log/measures.ts';
import type { Vouched } from '../base/vouched.ts';
import type { CallTap } from '../procedure/call-tap.ts';
import type { ServerView } from '../procedure/server-view.ts';
import type { History } from './overview/history.ts';
import type { listedDatabases } from './overview/listed-databases.ts';
import type { Standstill } from './overview/standstills.ts';
import type { Room } from './room.ts';
import type { Wire } from './wire/wire.ts';

/** The server together with what the console keeps of it for all who look. */
export interface WatchedServer extends ConsoleServer {
  readonly wire: Wire;
  readonly history: History;
  /** The memory for answers to queries. */
  readonly answers: Room;
  /** Who waits for whom; like `wrong`, checked from time to time however many ask. */
  waits(): ReturnType<ServerView['waits']>;
  /** The databases with their kinds; as `wrong`. */
  kinds(): ReturnType<ServerView['databases']>;
  /** What is stuck in any database; like `wrong`. */
  standstills(): Promise<readonly Standstill[]>;
  /** The databases with their sizes; like `wrong`, checked from time to time however many ask. */
  databases(): ReturnType<typeof listedDatabases>;
}

/** One client's proof that it is a Windows user, token by token; to be disposed, and is with its connection. */
export interface WindowsProof extends Disposable {
  /** Takes the client's next token; throws an SqlError for the client, with the reason as its cause. */
  take(token: Buffer): Promise<{ readonly reply: Uint8Array; readonly admitted?: Vouched }>;
}

/** How Windows users log in over HTTP. */
export interface WindowsSignOn {
  /** True if a domain authenticates users: the keytab has a key of the service HTTP. */
  readonly hasKerberos: boolean;
  /** Begins with the client at the other end of a connection, on which all its tokens come. */
  begin(socket: Socket): WindowsProof;
}

/** The server as the console sees it. */
export interface ConsoleServer {
  readonly release: string;
  /** The engine underneath: sqlite or postgres. */
  readonly engine: string;
  readonly view: ServerView;
  readonly measures: Measures;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  /** The source of live calls. */
  readonly tap: CallTap;
  /** How Windows users are authenticated; absent if they cannot be. */
  readonly windows?: WindowsSignOn | undefined;
  /** A connection of this process as a user, possibly read-only. */
  attach(who: Vouched, isReadOnly?: boolean): Duplex;
  /** What is wrong, in words; empty where all is well. */
  wrong(): Promise<readonly string[]>;
}
