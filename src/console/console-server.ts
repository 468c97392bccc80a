import type { Duplex } from 'node:stream';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Measures } from '../base/measures.ts';
import type { ServerView } from '../procedure/server-view.ts';

/** What the console knows of the server that it shows. */
export interface ConsoleServer {
  readonly release: string;
  /** The engine underneath: sqlite or postgres. */
  readonly engine: string;
  readonly view: ServerView;
  readonly measures: Measures;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  /** A connection of this process as a login. */
  attach(login: string): Duplex;
  /** What is wrong, in words; empty where all is well. */
  wrong(): Promise<readonly string[]>;
}
