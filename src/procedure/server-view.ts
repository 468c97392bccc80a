import type { Kind } from './kind.ts';

/** A database as the catalog lists it. */
export interface DatabaseEntry {
  readonly name: string;
  readonly kind: string;
  readonly id: number;
  readonly created: Date;
}

/** A session as sys.dm_exec_sessions and sp_who list it. */
export interface SessionEntry {
  readonly spid: number;
  readonly login: string;
  readonly host: string;
  readonly program: string;
  readonly clientInterface: string;
  readonly database: string;
  readonly address: string;
  readonly connected: Date;
  readonly status: 'running' | 'sleeping';
  /** The procedure or statement that runs now, or an empty string. */
  readonly command: string;
  readonly transactions: number;
  readonly encrypted: boolean;
  readonly tdsVersion: number;
  readonly packetSize: number;
}

/** What a procedure or a catalog view may know of the server that it runs in. */
export interface ServerView {
  /** What @@SERVERNAME says. */
  readonly name: string;
  /** The version that clients are told, as in SERVERPROPERTY('ProductVersion'). */
  readonly version: string;
  readonly started: Date;
  databases(): Promise<readonly DatabaseEntry[]>;
  /** What a kind of database offers, by the kind's name; every kind includes what the system offers. */
  kind(name: string): Kind | undefined;
  sessions(): readonly SessionEntry[];
}
