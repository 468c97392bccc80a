import type { Clock } from '../base/clock.ts';
import type { MemoryBudget } from '../base/memory/memory-budget.ts';
import type { AuthenticationScheme } from '../base/vouched.ts';
import type { Db, Work } from '../engine/db.ts';
import type { AnyProcedure } from '../procedure/declare.ts';
import type { ObjectName } from '../procedure/object-name.ts';
import type { Relation } from '../procedure/relations/relation.ts';
import type { Argument } from '../procedure/run/bind.ts';
import type { Executed } from '../procedure/run/executed.ts';
import type { Sink } from '../procedure/run/sink.ts';
import type { ServerView } from '../procedure/server-view.ts';
import type { SystemCall } from '../procedure/system-call.ts';
import type { TypedValue } from '../tds/types/sql-type.ts';
import type { SessionOptions } from './options.ts';
import type { SessionState } from './session-state.ts';
import type { TempDb } from './storage/temp-db.ts';

/**
 * A client's own transaction as T-SQL sees it. Only `src/tsql/transactions.ts` calls the changing methods: it also
 * winds back the temporary tables, so requests of the transaction manager (TDS 0x0E) go through it too.
 */
export interface Transactions {
  /** @@TRANCOUNT. */
  readonly count: number;
  /** XACT_STATE(): 1 open, 0 none, -1 open but it can only be rolled back. */
  readonly state: -1 | 0 | 1;
  begin(name: string | undefined): Promise<void>;
  /** Lowers the count; commits for real at zero. Called only while count > 0; throws 3930 in state -1. */
  commit(): Promise<void>;
  /** Ends the transaction, whatever the count. Called only while count > 0. */
  rollback(): Promise<void>;
  save(name: string): Promise<void>;
  /** False if no savepoint has the name. */
  rollbackTo(name: string): Promise<boolean>;
  /** Makes state -1: an error under XACT_ABORT inside TRY leaves a transaction that can only be rolled back. */
  doom(): void;
}

/** Who is logged in. */
export interface Identity {
  readonly spid: number;
  readonly login: string;
  /** The logins whose roles it has: its own, or those of the Windows user and groups that it was authenticated as. */
  readonly through: readonly string[];
  /** How the login was authenticated, as CONNECTIONPROPERTY reports it. */
  readonly authentication: AuthenticationScheme;
  /** The database user: `dbo` or the login's own name. */
  readonly user: string;
  readonly host: string;
  readonly program: string;
  /** The number of the client's process, as its login gave it. */
  readonly processId: number;
  readonly isAdministrator: boolean;
  /** True for a session that is to change nothing, whatever its login may. */
  readonly isReadOnly?: boolean;
}

/** What CONNECTIONPROPERTY reports, and how the session began. */
export interface ConnectionFacts {
  /** False for DB-Library and its kin: their sessions begin with QUOTED_IDENTIFIER off. */
  readonly odbc: boolean;
  /** False before TDS 7.3: those clients get the maximum size where later ones get -1, for no limit. */
  readonly knowsNoLimit: boolean;
  readonly clientAddress: string;
  readonly serverAddress: string;
  readonly port: number;
}

/** What CREATE, ALTER and DROP LOGIN do: 15247 or 15151 for a login that may not. */
export interface Logins {
  create(name: string, password: string, mustChange: boolean): Promise<void>;
  /** A Windows user or, with a security identifier, a group; with a password an account that is kept here. */
  createWindows(name: string, login: { readonly sid?: string; readonly password?: string }): Promise<void>;
  /** With `oldPassword`, a login may change its own. */
  setPassword(name: string, password: string, mustChange: boolean, oldPassword: string | undefined): Promise<void>;
  drop(name: string): Promise<void>;
}

/** A declared procedure in the database that a session found it in. */
export interface DeclaredProcedure {
  readonly procedure: AnyProcedure;
  /** Calls it: every result set ends in sink.endRows. */
  run(args: readonly Argument[], sink: Sink, signal: AbortSignal): Promise<Executed>;
}

/** A table of a database that a statement changes. */
export interface ChangedTable {
  readonly database: string;
  readonly schema: string;
  readonly name: string;
  /** The permission that the change needs, as error 229 names it. */
  readonly right: string;
  /** True: excludes all other writers of the database, so that the work is not repeated after a conflict. */
  readonly alone?: boolean;
}

/** The session as the interpreter sees it. */
export interface Host {
  readonly identity: Identity;
  readonly connection: ConnectionFacts;
  readonly clock: Clock;
  readonly server: ServerView;
  /** What SET changes; the interpreter writes it, the session reads it. */
  readonly options: SessionOptions;
  /** Temporary tables and procedures, prepared statements, and the values of @@IDENTITY and the like. */
  readonly state: SessionState;
  readonly transactions: Transactions;
  /** The memory that the session's statements hold rows in. */
  readonly memory: MemoryBudget;
  /** Bytes that one statement may hold of it. */
  readonly statementMemory: number;
  /** What all sessions of the server share in tempdb. */
  readonly tempDb: TempDb;
  /** The current database. */
  readonly database: string;
  /** Changes the current database, and notifies the client (ENVCHANGE, 5701); throws 911 or 916. */
  use(database: string): Promise<void>;
  /** True when the login may use a database that exists. */
  hasAccess(database: string): Promise<boolean>;
  /** The last row version of the current database; 0 for a kind that has none. */
  rowVersion(signal: AbortSignal): Promise<bigint>;
  /** SERVERPROPERTY(name); undefined for a property that is not known. */
  serverProperty(name: string): TypedValue | undefined;
  /** The procedure that the current database, or the one named, declares under a name. */
  declared(name: ObjectName): DeclaredProcedure | undefined | Promise<DeclaredProcedure | undefined>;
  /** The table or view of that name; undefined if there is none, 911 if its database does not exist. */
  relation(name: ObjectName): Promise<Relation | undefined>;
  /**
   * Reads relations of a database (the current one unless named), inside the client's transaction if one is open. All
   * rows are read before `work` resolves. `amount` says how much work that may be for the engine. Throws 229 or 916 if
   * the login may not read.
   */
  read<T>(
    database: string | undefined,
    work: (call: SystemCall) => Promise<T>,
    signal: AbortSignal,
    amount?: Work,
  ): Promise<T>;
  /** Throws 229 or 916 if the login may not change a table. */
  mayChange(table: ChangedTable): Promise<void>;
  /**
   * Changes a table of a database in a transaction, the client's if one is open. Throws 229 or 916 if the login may not
   * change it.
   */
  write<T>(table: ChangedTable, work: (db: Db) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Logins, as far as the session's own may change them. */
  readonly logins: Logins;
  /** Creates a database; absent if this server or login cannot, which is error 262. */
  createDatabase?(name: string): Promise<void>;
  dropDatabase?(name: string): Promise<void>;
}
