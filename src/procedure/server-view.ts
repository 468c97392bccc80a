import type { Threads } from '../base/threads/threads.ts';
import type { AuthenticationScheme } from '../base/vouched.ts';
import type { Kind } from './kind.ts';
import type { AppLocks, LockEntry } from './locks/app-locks.ts';

/** A database as the catalog lists it. */
export interface DatabaseEntry {
  readonly name: string;
  readonly kind: string;
  readonly id: number;
  readonly created: Date;
  /** True for one that cannot be opened. */
  readonly isSuspect?: boolean;
}

/** A session as sys.dm_exec_sessions and sp_who list it. */
export interface SessionEntry {
  readonly spid: number;
  readonly login: string;
  readonly authentication: AuthenticationScheme;
  readonly host: string;
  readonly program: string;
  readonly clientInterface: string;
  /** The process id that the client reported. */
  readonly processId: number;
  readonly database: string;
  readonly address: string;
  readonly connected: Date;
  readonly status: 'running' | 'sleeping';
  /** The procedure or statement that runs now, or an empty string. */
  readonly command: string;
  /** The text of the batch that runs now, or the name of the procedure; none of a text that mentions a password. */
  readonly text?: string;
  /** Milliseconds since what runs now began. */
  readonly elapsed?: number;
  readonly transactions: number;
  readonly encrypted: boolean;
  readonly tdsVersion: number;
  readonly packetSize: number;
  /** The options set by its SET statements; a missing one has SQL Server's default. */
  readonly settings?: Partial<SessionSettings>;
}

/** The settings of a session that sys.dm_exec_sessions shows. */
export interface SessionSettings {
  readonly language: string;
  readonly dateFormat: string;
  readonly dateFirst: number;
  readonly textSize: number;
  /** Milliseconds, -1 for ever. */
  readonly lockTimeout: number;
  /** 1 read uncommitted, 2 read committed, 3 repeatable read, 4 serializable, 5 snapshot. */
  readonly isolationLevel: number;
  readonly deadlockPriority: number;
  readonly quotedIdentifier: boolean;
  readonly arithAbort: boolean;
  readonly ansiNullDefaultOn: boolean;
  readonly ansiDefaults: boolean;
  readonly ansiWarnings: boolean;
  readonly ansiPadding: boolean;
  readonly ansiNulls: boolean;
  readonly concatNullYieldsNull: boolean;
}

/** A session that waits for another's lock. */
export interface WaitEntry {
  readonly spid: number;
  readonly blockedBy: number;
  readonly since: Date;
  /** The letters of the mode that it waits for: X, S, … */
  readonly mode: string;
  /** The locked resource, as dm_exec_requests shows it: `APPLICATION: …`, `DATABASE: …`. */
  readonly resource: string;
  readonly database: string;
}

/** A login as the catalog lists it. */
export interface LoginEntry {
  readonly name: string;
  /** With a password, or a Windows user or group. */
  readonly kind: 'sql' | 'user' | 'group';
  /** The security identifier of a Windows group, S-1-5-…, if known. */
  readonly sid: string | null;
  readonly created: Date;
  /** Its permissions by database; `*` is every database. */
  readonly roles: readonly { readonly database: string; readonly role: string }[];
}

/** What a login may do in a database: read, call every procedure, and give roles and drop it too. */
export type DatabaseRole = 'reader' | 'writer' | 'admin';

/** What administrators do with databases and the roles on them. */
interface Administration {
  createDatabase(name: string, kind: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  grant(login: string, granted: { readonly database: string; readonly role: DatabaseRole }): Promise<void>;
  revoke(login: string, database: string): Promise<boolean>;
}

/** The server, as procedures and catalog views see it. */
export interface ServerView {
  /** @@SERVERNAME. */
  readonly name: string;
  /** The version reported to clients, as in SERVERPROPERTY('ProductVersion'). */
  readonly version: string;
  readonly started: Date;
  /** True if it shows only what belongs to the login. */
  readonly isPartial?: true;
  databases(): Promise<readonly DatabaseEntry[]>;
  /** Bytes that databases take on disk, their logs apart. */
  sizes(): Promise<readonly { readonly name: string; readonly bytes: number; readonly logBytes: number }[]>;
  /** What a kind of database offers, by the kind's name; every kind includes what the system offers. */
  kind(name: string): Kind | undefined;
  sessions(): readonly SessionEntry[];
  /** Who waits for whom; the views and sp_who show it. */
  waits(): Promise<readonly WaitEntry[]>;
  /** The application locks that are held or waited for. */
  lockEntries(): readonly LockEntry[];
  /** Ends a session; false if there is none of that number. */
  endSession(spid: number): boolean;
  logins(): Promise<readonly LoginEntry[]>;
  /** For procedures that are reserved for administrators. */
  readonly administration: Administration;
  /** The locks of sp_getapplock; a session gives its own back when its transaction or the session ends. */
  readonly locks: AppLocks;
  /** For what would stop the event loop, and so every session, for long. */
  readonly threads: Pick<Threads, 'run'>;
}
