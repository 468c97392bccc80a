import type { Clock } from '../base/clock.ts';
import type { LogFields } from '../base/log.ts';
import { MemoryBudget } from '../base/memory-budget.ts';
import { ruleBroken, SqlError, sqlError } from '../base/sql-error.ts';
import type { Db } from '../engine/db.ts';
import { foldedName, systemName } from '../engine/names.ts';
import type { Argument } from '../procedure/bind.ts';
import type { Call, TsqlView } from '../procedure/call.ts';
import type { AnyProcedure } from '../procedure/declare.ts';
import { type Executed, execute, type Scope } from '../procedure/execute.ts';
import type { ObjectName } from '../procedure/object-name.ts';
import type { Relation } from '../procedure/relation.ts';
import type { ServerView } from '../procedure/server-view.ts';
import type { Sink } from '../procedure/sink.ts';
import { roundToDatetime } from '../tds/types/index.ts';
import type { TypedValue } from '../tds/types/sql-type.ts';
import { firstColumns, undeclaredVariables } from '../tsql/describe-batch.ts';
import type { ConnectionFacts, DeclaredProcedure, Host, Identity } from '../tsql/host.ts';
import { defaultOptions, type SessionOptions, withoutAnsi } from '../tsql/options.ts';
import { SessionState } from '../tsql/session-state.ts';
import { clientObjects } from '../tsql/storage/client-objects.ts';
import type { TempDb } from '../tsql/storage/temp-db.ts';
import { beginTransaction, rollbackTransaction } from '../tsql/transactions.ts';
import { ClientTransaction, type TransactionEvent } from './client-transaction.ts';
import type { ServerContext } from './context.ts';
import { CurrentDatabase } from './current-database.ts';
import { LazyCall } from './lazy-call.ts';
import { lazily } from './lazy-db.ts';
import type { Reader } from './reader-gates.ts';
import { RequestLog } from './request-log.ts';
import { serverProperty } from './server-properties.ts';
import { SessionLogins } from './session-logins.ts';

/** What the host has to tell its client while a request runs. */
export interface HostEvents {
  transaction(event: TransactionEvent, descriptor: bigint): void;
  databaseChanged(to: string, from: string): void;
}

/** What a session is to others that want to read. */
export type SessionReader = Pick<Reader, 'stalledSince' | 'cut'>;

/** One logged-in session as procedures and T-SQL see it: where it is, what it may do, what it has open. */
export class SessionHost implements Host {
  readonly identity: Identity;
  readonly connection: ConnectionFacts;
  readonly clock: Clock;
  readonly server: ServerView;
  readonly tempDb: TempDb;
  readonly memory = new MemoryBudget(Number.POSITIVE_INFINITY);
  readonly statementMemory: number;
  readonly state = new SessionState();
  readonly logins: SessionLogins;
  readonly transactions: ClientTransaction;
  readonly log: RequestLog;
  readonly #context: ServerContext;
  readonly #events: HostEvents;
  readonly #reader: Reader;
  readonly #home: CurrentDatabase;
  #current: CurrentDatabase;
  #options: SessionOptions;
  /** True when a call in the client's transaction has left work for upkeep, which sees it after the commit. */
  #leftWork = false;

  constructor(
    context: ServerContext,
    identity: Identity,
    connection: ConnectionFacts,
    home: CurrentDatabase,
    events: HostEvents,
    reader: SessionReader,
  ) {
    this.identity = identity;
    this.connection = connection;
    this.clock = context.clock;
    this.server = context.view;
    this.tempDb = context.tempDb;
    this.statementMemory = context.limits.statementMemory;
    this.logins = new SessionLogins(context, identity, connection.clientAddress);
    this.log = new RequestLog(context.log, identity);
    this.#context = context;
    this.#events = events;
    this.#reader = { login: identity.login.toLowerCase(), spid: identity.spid, ...reader };
    this.#home = home;
    this.#current = home;
    this.#options = this.#freshOptions();
    this.transactions = new ClientTransaction((event, descriptor) => this.#transactionChanged(event, descriptor));
  }

  #transactionChanged(event: TransactionEvent, descriptor: bigint): void {
    if (event === 'committed' && this.#leftWork) this.#context.wakeUpkeep();
    this.#leftWork = false;
    this.#events.transaction(event, descriptor);
  }

  get options(): SessionOptions {
    return this.#options;
  }

  get database(): string {
    return this.#current.name;
  }

  /** A fresh session under the same login, as a pool wants it. */
  async reset(keepTransaction: boolean): Promise<void> {
    if (!keepTransaction && this.transactions.count > 0) await rollbackTransaction(this);
    this.tempDb.leave(this.identity.spid);
    this.state.reset();
    this.server.locks.releaseAll({ spid: this.identity.spid, scope: 'Session' });
    this.#options = this.#freshOptions();
    if (this.#current !== this.#home) {
      const from = this.#current.name;
      this.#current = this.#home;
      this.#events.databaseChanged(this.#home.name, from);
    }
  }

  #freshOptions(): SessionOptions {
    return {
      ...defaultOptions(),
      ...(this.connection.odbc ? {} : withoutAnsi),
      lockTimeout: this.#context.limits.lockTimeout,
    };
  }

  async use(name: string): Promise<void> {
    const from = this.#current.name;
    this.#current = await CurrentDatabase.open(this.#context, this.identity.login, name);
    this.#events.databaseChanged(this.#current.name, from);
  }

  /** T-SQL has no word for the kind of a database, so it cannot make one. */
  async createDatabase(name: string): Promise<void> {
    if (!this.identity.isAdministrator) throw sqlError(262, 'CREATE DATABASE', 'master');
    throw ruleBroken(`A database has a kind here: exec sp_create_database N'${name}', N'…' makes it.`);
  }

  /** Drops a database that nobody is in, for its admins: 3701 to others, as if it were not there. */
  async dropDatabase(name: string): Promise<void> {
    const { accounts, view } = this.#context;
    if ((await accounts.roleOn(this.identity.login, name)) !== 'admin') throw sqlError(3701, 'drop', 'database', name);
    if (systemName(name) !== undefined) throw sqlError(3708, 'drop', 'database', name, 'database');
    const isUsed = view.sessions().some(({ database }) => foldedName(database) === foldedName(name));
    if (isUsed) throw sqlError(3702, name);
    await view.administration.dropDatabase(name);
  }

  async hasAccess(name: string): Promise<boolean> {
    try {
      await this.#place(name);
      return true;
    } catch (error) {
      if (error instanceof SqlError && (error.number === 916 || error.number === 911)) return false;
      throw error;
    }
  }

  async rowVersion(signal: AbortSignal): Promise<bigint> {
    const { kind } = this.#current.registry;
    if (kind.rowVersion === undefined) return 0n;
    const version = kind.rowVersion;
    return this.read(undefined, ({ db }) => version(db), signal);
  }

  serverProperty(name: string): TypedValue | undefined {
    return serverProperty(this.server, name);
  }

  async declared(name: ObjectName): Promise<DeclaredProcedure | undefined> {
    const place = name.database === undefined ? this.#current : await this.#place(name.database);
    const procedure = place.registry.procedure(name.name, name.schema);
    return procedure && { procedure, run: (args, sink, signal) => this.#run(place, procedure, args, sink, signal) };
  }

  /** Runs a declared procedure; its errors name it, as ERROR_PROCEDURE and the ERROR token tell. */
  async #run(
    place: CurrentDatabase,
    procedure: AnyProcedure,
    args: readonly Argument[],
    sink: Sink,
    signal: AbortSignal,
  ): Promise<Executed> {
    const started = performance.now();
    this.log.procedure = procedure.name;
    try {
      const executed = await this.#permitted(place, procedure, args, sink, signal);
      this.#note(place, started, { status: executed.status });
      this.log.procedure = '';
      if (procedure.leavesWork) this.#leaveWork();
      return executed;
    } catch (thrown) {
      const error = await reasonOf(thrown, place, signal);
      this.#note(place, started, { error: error instanceof SqlError ? error.number : String(error) });
      // After a fault it stays: whoever logs that says where it came from.
      if (!(error instanceof SqlError)) throw error;
      this.log.procedure = '';
      throw error.procedure === '' ? error.at({ procedure: procedure.name }) : error;
    }
  }

  async #permitted(
    place: CurrentDatabase,
    procedure: AnyProcedure,
    args: readonly Argument[],
    sink: Sink,
    signal: AbortSignal,
  ): Promise<Executed> {
    const allowed = place.mayExecute(procedure);
    if (allowed) await allowed;
    if (this.#options.implicitTransactions && this.transactions.count === 0 && procedure.access !== 'none') {
      await beginTransaction(this);
    }
    return execute(procedure, args, this.#scope(place, signal), this.#caller(place, signal), sink);
  }

  #leaveWork(): void {
    if (this.transactions.count > 0) this.#leftWork = true;
    else this.#context.wakeUpkeep();
  }

  /** A debug line for every call: who, what, where, how long and how it ended, never with what values. */
  #note({ name }: CurrentDatabase, started: number, end: LogFields): void {
    if (!this.log.verbose) return;
    const milliseconds = Math.round((performance.now() - started) * 1000) / 1000;
    this.log.lines().debug('call', { database: name, milliseconds, ...end });
  }

  async relation(name: ObjectName): Promise<Relation | undefined> {
    const place = name.database === undefined ? this.#current : await this.#place(name.database);
    return place.registry.relation(name.name, name.schema);
  }

  async read<T>(database: string | undefined, work: (call: Call) => Promise<T>, signal: AbortSignal): Promise<T> {
    const place = database === undefined ? this.#current : await this.#place(database);
    const allowed = place.mayRead();
    if (allowed) await allowed;
    const callWith = this.#caller(place, signal);
    try {
      const { read } = this.#scope(place, signal);
      return await lazily(
        (opened) => read(opened, {}),
        (db) => work(callWith(db)),
      );
    } catch (thrown) {
      throw await reasonOf(thrown, place, signal);
    }
  }

  async #place(name: string): Promise<CurrentDatabase> {
    if (name.toLowerCase() === this.#current.name.toLowerCase()) return this.#current;
    return CurrentDatabase.open(this.#context, this.identity.login, name);
  }

  /** Outside of a client's transaction a call is one of its own; inside, it is a part that can fail alone. */
  #scope({ database }: CurrentDatabase, signal: AbortSignal): Scope {
    const { transactions } = this;
    const { lockTimeout } = this.#options;
    return {
      read: (work, options) =>
        transactions.holds(database)
          ? transactions.read(work)
          : this.#context.readers.read(database, this.#reader, { timeout: lockTimeout, signal }, () =>
              database.read(work, { ...options, signal }),
            ),
      write: (work, options) =>
        transactions.count > 0
          ? transactions.write(database, work, { lockTimeout, signal })
          : database.write(work, { ...options, lockTimeout, signal }),
    };
  }

  #caller(place: CurrentDatabase, signal: AbortSignal): (db: Db) => Call {
    const { spid, login } = this.identity;
    const { server } = this;
    const tsql = (): TsqlView => ({
      ...clientObjects([this.state, ...this.tempDb.places]),
      columns: (batch, declarations) => firstColumns(this, batch, declarations, signal),
      undeclared: (batch, declarations) => undeclaredVariables(this, batch, declarations, signal),
    });
    const log = () => this.log.lines();
    const facts = { database: place.name, kind: place.registry.kind.name, spid, login, signal, server };
    // Read when the call runs: it may have waited long for another's transaction, and what that one did is of the past.
    return (db) => new LazyCall(db, roundToDatetime(this.clock.now()), facts, { tsql, log });
  }
}

/** A fault of the engine may come of a database that was dropped under the call; a refusal and a cancel are what they are. */
async function reasonOf(thrown: unknown, place: CurrentDatabase, signal: AbortSignal): Promise<unknown> {
  return thrown instanceof SqlError || signal.aborted ? thrown : place.reasonOf(thrown);
}
