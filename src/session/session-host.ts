import type { Clock } from '../base/clock.ts';
import type { MemoryBudget } from '../base/memory/memory-budget.ts';
import type { Db, Work } from '../engine/db.ts';
import type { ObjectName } from '../procedure/object-name.ts';
import type { Relation } from '../procedure/relations/relation.ts';
import type { ServerView } from '../procedure/server-view.ts';
import type { SystemCall } from '../procedure/system-call.ts';
import type { TypedValue } from '../tds/types/sql-type.ts';
import type { ChangedTable, ConnectionFacts, Host, Identity } from '../tsql/host.ts';
import { defaultOptions, type SessionOptions, withoutAnsi } from '../tsql/options.ts';
import { SessionState } from '../tsql/session-state.ts';
import type { TempDb } from '../tsql/storage/temp-db.ts';
import { beginTransaction, rollbackTransaction } from '../tsql/transactions.ts';
import { viewOf } from '../tsql/view-of.ts';
import { Calls } from './calls/calls.ts';
import type { ServerContext } from './context.ts';
import type { Environment } from './environment.ts';
import { SessionLogins } from './login/session-logins.ts';
import { RequestLog } from './requests/request-log.ts';
import { seenBy } from './seen/seen-by.ts';
import type { SessionMemory } from './seen/server-memory.ts';
import { serverProperty } from './seen/server-properties.ts';
import { SessionDatabases, type SessionPlaces } from './seen/session-databases.ts';
import { ClientTransaction, type Tell } from './transactions/client-transaction.ts';
import { asDeadlock } from './transactions/lost-transaction.ts';
import type { Reader } from './transactions/reader-gates.ts';

/** What the host reports to its client while a request runs. */
export interface HostEvents {
  transaction(...told: Parameters<Tell>): ReturnType<Tell>;
  databaseChanged(to: string, from: string): void;
}

/** The state shared by the requests of a session; with MARS the running one installs its own. */
interface Requests {
  reader: Reader;
  /** With MARS, serializes the writes of several requests. */
  inOrder: (<T>(write: () => Promise<T>) => Promise<T>) | undefined;
}

/** The interpreter's host for one logged-in session: combines its databases, calls, logins and transaction. */
export class SessionHost implements Host {
  readonly identity: Identity;
  readonly connection: ConnectionFacts;
  readonly clock: Clock;
  readonly server: ServerView;
  readonly tempDb: TempDb;
  readonly memory: MemoryBudget;
  readonly statementMemory: number;
  readonly state: SessionState;
  readonly #memory: SessionMemory;
  readonly options: SessionOptions;
  readonly logins: SessionLogins;
  readonly transactions: ClientTransaction;
  readonly log: RequestLog;
  readonly requests: Requests;
  readonly #databases: SessionDatabases;
  readonly #calls: Calls;
  readonly #lockTimeout: number;

  constructor(
    context: ServerContext,
    identity: Identity,
    connection: ConnectionFacts,
    where: SessionPlaces,
    session: HostEvents & Reader,
  ) {
    this.identity = identity;
    this.connection = connection;
    this.clock = context.clock;
    this.server = seenBy(context.view, identity);
    this.tempDb = context.tempDb;
    this.statementMemory = context.limits.statementMemory;
    this.#memory = context.memory.open(identity.login);
    this.memory = this.#memory.budget;
    this.state = new SessionState(this.memory);
    this.#lockTimeout = context.limits.lockTimeout;
    this.options = this.#freshOptions();
    this.logins = new SessionLogins(context, identity, connection.clientAddress);
    this.log = new RequestLog(context.log, identity);
    this.#databases = new SessionDatabases(context, identity, where, session);
    this.transactions = new ClientTransaction(
      (event, descriptor) => {
        if (event !== 'begun') this.#calls.transactionEnded(event === 'committed');
        return session.transaction(event, descriptor);
      },
      (error) => asDeadlock(this, error),
    );
    this.requests = { reader: session, inOrder: undefined };
    this.#calls = new Calls({
      context,
      identity,
      server: this.server,
      databases: this.#databases,
      transactions: this.transactions,
      options: this.options,
      log: this.log,
      requests: this.requests,
      traceParent: () => String(this.state.context.get('traceparent')?.value.value ?? ''),
      tsql: (signal) => viewOf(this, signal),
      begin: () => beginTransaction(this),
      undo: () => rollbackTransaction(this),
    });
  }

  get database(): string {
    return this.#databases.current.name;
  }

  /**
   * True if the session holds something that ends with it and cannot be recovered. Prepared statements do not count:
   * clients prepare them again on a new connection, as they must with SQL Server.
   */
  get holdsWhatEnds(): boolean {
    const { tables, procedures, usedCursors, context, contextInfo } = this.state;
    const kept = this.transactions.count + tables.size + procedures.size + context.size;
    if (kept > 0 || contextInfo !== null || usedCursors?.isEmpty === false) return true;
    const { spid } = this.identity;
    return this.tempDb.hasMade(spid) || this.server.locks.holdsAny(spid);
  }

  /** The state that the running request leaves to those that follow. */
  get environment(): Environment {
    const { identity, identityInsert, rowCount, error, bulk } = this.state;
    return {
      options: { ...this.options },
      database: this.#databases.current,
      log: this.log.mark,
      ...{ identity, identityInsert, rowCount, error, bulk },
    };
  }

  set environment({ options, database, log, ...state }: Environment) {
    Object.assign(this.options, options);
    this.#databases.current = database;
    this.log.mark = log;
    Object.assign(this.state, state);
  }

  /** Resets the session under the same login, for connection pools. */
  async reset(keepTransaction: boolean): Promise<void> {
    if (!keepTransaction && this.transactions.count > 0) await rollbackTransaction(this);
    this.#forget(keepTransaction && this.transactions.count > 0);
    Object.assign(this.options, this.#freshOptions());
    this.#databases.reset();
  }

  /** The client is gone: rolls back its transaction and releases its locks. */
  async close(): Promise<void> {
    try {
      if (this.transactions.count > 0) await rollbackTransaction(this);
    } finally {
      this.#forget(false);
      this.#memory.close();
    }
  }

  #forget(keepTransaction: boolean): void {
    const { spid } = this.identity;
    if (!keepTransaction) this.tempDb.unlock(spid);
    this.tempDb.dropMadeBy(spid);
    this.state.reset(keepTransaction);
    this.server.locks.releaseAll({ spid, scope: 'Session' });
  }

  #freshOptions(): SessionOptions {
    const ofClient = this.connection.odbc ? {} : withoutAnsi;
    return { ...defaultOptions(), ...ofClient, lockTimeout: this.#lockTimeout };
  }

  use(name: string): Promise<void> {
    return this.#databases.use(name);
  }

  hasAccess(name: string): Promise<boolean> {
    return this.#databases.hasAccess(name);
  }

  createDatabase(name: string): Promise<void> {
    return this.#databases.create(name);
  }

  dropDatabase(name: string): Promise<void> {
    return this.#databases.drop(name);
  }

  async rowVersion(signal: AbortSignal): Promise<bigint> {
    const { rowVersion } = this.#databases.current.registry.kind;
    if (this.database === 'tempdb') return this.tempDb.rowVersion;
    return rowVersion === undefined ? 0n : this.read(undefined, ({ db }) => rowVersion(db), signal);
  }

  serverProperty(name: string): TypedValue | undefined {
    return serverProperty(this.server, name);
  }

  declared(name: ObjectName): ReturnType<Host['declared']> {
    return this.#calls.declared(name);
  }

  relation(name: ObjectName): Promise<Relation | undefined> {
    return this.#calls.relation(name);
  }

  read<T>(
    database: string | undefined,
    work: (call: SystemCall) => Promise<T>,
    signal: AbortSignal,
    amount?: Work,
  ): Promise<T> {
    return this.#calls.read(database, work, signal, amount);
  }

  mayChange(table: ChangedTable): Promise<void> {
    return this.#calls.mayChange(table);
  }

  write<T>(table: ChangedTable, work: (db: Db) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#calls.write(table, work, signal);
  }
}
