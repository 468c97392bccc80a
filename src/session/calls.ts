import { SqlError, sqlError } from '../base/sql-error.ts';
import type { CallSpan } from '../base/tracer.ts';
import type { Db, Work } from '../engine/db.ts';
import type { Argument } from '../procedure/bind.ts';
import type { Preparing } from '../procedure/call.ts';
import type { AnyProcedure } from '../procedure/declare.ts';
import { type Caller, execute } from '../procedure/execute.ts';
import type { Executed } from '../procedure/executed.ts';
import type { ObjectName } from '../procedure/object-name.ts';
import type { Relation } from '../procedure/relation.ts';
import type { ServerView } from '../procedure/server-view.ts';
import type { Sink } from '../procedure/sink.ts';
import type { SystemCall } from '../procedure/system-call.ts';
import type { TransactionSource } from '../procedure/transaction-source.ts';
import type { TsqlView } from '../procedure/tsql-view.ts';
import { roundToDatetime } from '../tds/types/index.ts';
import type { ChangedTable, DeclaredProcedure, Host, Identity } from '../tsql/host.ts';
import type { SessionOptions } from '../tsql/options.ts';
import { CallSource } from './call-source.ts';
import type { ClientTransaction } from './client-transaction.ts';
import type { ServerContext } from './context.ts';
import type { CurrentDatabase } from './current-database.ts';
import { type CallFacts, HandlerCall, SessionCall } from './handler-call.ts';
import { lazily } from './lazy-db.ts';
import type { Reader } from './reader-gates.ts';
import type { RequestLog } from './request-log.ts';
import type { SessionDatabases } from './session-databases.ts';
import { begunCall, counted, recorded } from './tapped.ts';

/** What the calls of a session run with. */
export interface CallsOptions {
  readonly context: ServerContext;
  readonly identity: Identity;
  /** The server as the login sees it. */
  readonly server: ServerView;
  readonly databases: SessionDatabases;
  readonly transactions: ClientTransaction;
  readonly options: SessionOptions;
  readonly log: RequestLog;
  readonly requests: {
    /** The session as a holder of reader slots. */
    readonly reader: Reader;
    /** Serializes its writes where that is not the case anyway (MARS). */
    readonly inOrder: (<T>(write: () => Promise<T>) => Promise<T>) | undefined;
  };
  /** The W3C trace context that the client has set (sp_set_session_context N'traceparent'); else empty. */
  traceParent(): string;
  /** What the session's T-SQL knows, for the system's own procedures. */
  tsql(signal: AbortSignal): TsqlView;
  /** Rolls the client's transaction back. */
  undo(): Promise<void>;
  /** Begins a transaction of the client: SET IMPLICIT_TRANSACTIONS. */
  begin(): Promise<void>;
}

/**
 * Runs declared procedures, and reads and changes relations, for one session: checks the permission, provides the
 * transaction, logs the call and notifies upkeep.
 */
export class Calls {
  readonly #with: CallsOptions;
  /** True when a call in the client's transaction has left work for upkeep, to be announced after the commit. */
  #leftWork = false;
  /** The databases in which calls of the client's transaction have added work, to be announced after the commit. */
  #broughtTo: Set<string> | undefined;

  constructor(options: CallsOptions) {
    this.#with = options;
  }

  declared(name: ObjectName): ReturnType<Host['declared']> {
    const place = this.#with.databases.named(name.database);
    return place instanceof Promise
      ? place.then((found) => this.#declaredIn(found, name))
      : this.#declaredIn(place, name);
  }

  #declaredIn(place: CurrentDatabase, { name, schema }: ObjectName): DeclaredProcedure | undefined {
    const procedure = place.registry.procedure(name, schema);
    return procedure && { procedure, run: (args, sink, signal) => this.#tapped(place, procedure, args, sink, signal) };
  }

  async relation(name: ObjectName): Promise<Relation | undefined> {
    const place = await this.#with.databases.named(name.database);
    const found = place.registry.relation(name.name, name.schema);
    return found?.database === undefined || found.database === place.name ? found : undefined;
  }

  async read<T>(
    database: string | undefined,
    work: (call: SystemCall) => Promise<T>,
    signal: AbortSignal,
    amount: Work = 'little',
  ): Promise<T> {
    const place = await this.#with.databases.named(database);
    const allowed = place.mayRead();
    if (allowed) await allowed;
    const facts = this.#facts(place, signal);
    try {
      const source = this.#source(place, signal);
      const few: TransactionSource['few'] = (shape, query) => source.few(shape, query);
      return await lazily(
        { read: (opened) => source.read(opened, { work: amount }), few: amount === 'little' ? few : undefined },
        (db) => work(new SessionCall(db, facts)),
      );
    } catch (thrown) {
      throw await reasonOf(thrown, place, signal);
    }
  }

  async mayChange(table: ChangedTable): Promise<void> {
    const place = await this.#with.databases.named(table.database);
    await place.mayChange(table);
  }

  async write<T>(table: ChangedTable, work: (db: Db) => Promise<T>, signal: AbortSignal): Promise<T> {
    const place = await this.#with.databases.named(table.database);
    const allowed = place.mayChange(table);
    if (allowed) await allowed;
    try {
      return await this.#source(place, signal).write(work, { serial: table.alone === true });
    } catch (thrown) {
      throw await reasonOf(thrown, place, signal);
    }
  }

  #source(place: CurrentDatabase, signal: AbortSignal): CallSource {
    return new CallSource(this.#with, place.database, signal, this);
  }

  /** The client's transaction has ended: announces the work that its calls have left. */
  transactionEnded(isCommitted: boolean): void {
    if (isCommitted && this.#leftWork) this.#with.context.wakeUpkeep();
    this.#leftWork = false;
    if (isCommitted) for (const database of this.#broughtTo ?? []) this.#with.context.arrivals.wake(database);
    this.#broughtTo = undefined;
  }

  /** Runs a declared procedure, and reports it to anyone who watches live calls. */
  #tapped(
    place: CurrentDatabase,
    procedure: AnyProcedure,
    args: readonly Argument[],
    sink: Sink,
    signal: AbortSignal,
  ): Promise<Executed> {
    const { context, identity } = this.#with;
    const { listener } = context.tap;
    const recording = listener?.begin(begunCall(identity, place.name, { name: procedure.name, procedure, args }));
    if (recording === undefined) return this.#run(place, procedure, args, sink, signal);
    return recorded(recording, () => this.#run(place, procedure, args, counted(sink, recording), signal));
  }

  /** Runs a declared procedure; its errors carry its name, for ERROR_PROCEDURE and the ERROR token. */
  async #run(
    place: CurrentDatabase,
    procedure: AnyProcedure,
    args: readonly Argument[],
    sink: Sink,
    signal: AbortSignal,
  ): Promise<Executed> {
    const started = performance.now();
    const { log } = this.#with;
    log.procedure = procedure.name;
    try {
      const allowed = place.mayExecute(procedure);
      if (allowed) await allowed;
      const begun = this.#beginImplicitly(procedure);
      if (begun) await begun;
      const executed = await execute(
        procedure,
        args,
        this.#source(place, signal),
        this.#caller(procedure, place, signal),
        sink,
      );
      this.#note(place, procedure, started, { status: executed.status });
      log.procedure = '';
      if (procedure.leavesWork) this.#leaveWork();
      if (procedure.bringsWork) this.#bringWork(place);
      return executed;
    } catch (thrown) {
      throw this.#failed(place, procedure, started, await reasonOf(thrown, place, signal));
    }
  }

  /** Records a failed call and returns the error for its client. */
  #failed(place: CurrentDatabase, procedure: AnyProcedure, started: number, error: unknown): unknown {
    const { log, context } = this.#with;
    const number = error instanceof SqlError ? error.number : 0;
    context.measures.failed(place.name, procedure.name, number);
    if (error instanceof SqlError) this.#refuse(place, procedure.name, error);
    if (error instanceof SqlError && error.severity >= lackOfResources) {
      const { name: database } = place;
      context.log.warn('a call failed', { database, procedure: procedure.name, number, error: error.message });
    }
    this.#note(place, procedure, started, { error: number || String(error) }, number);
    // After a fault the name is kept, so that the log line of the fault includes it.
    if (!(error instanceof SqlError)) return error;
    log.procedure = '';
    return error.procedure === '' ? error.at({ procedure: procedure.name }) : error;
  }

  /** Records a refused call for operators. */
  #refuse(place: CurrentDatabase, name: string, { number, message }: SqlError): void {
    const { context, identity } = this.#with;
    const { spid: session, login } = identity;
    context.tap.refuse({ at: context.clock.now(), session, login, database: place.name, name, number, message });
  }

  #beginImplicitly({ access }: AnyProcedure): void | Promise<void> {
    const { options, transactions } = this.#with;
    if (options.implicitTransactions && transactions.count === 0 && access !== 'none') return this.#with.begin();
  }

  #leaveWork(): void {
    if (this.#with.transactions.count > 0) this.#leftWork = true;
    else this.#with.context.wakeUpkeep();
  }

  #bringWork({ database: { name } }: CurrentDatabase): void {
    if (this.#with.transactions.count > 0) {
      this.#broughtTo ??= new Set();
      this.#broughtTo.add(name);
    } else this.#with.context.arrivals.wake(name);
  }

  /** Counts the call; a debug line has its session, procedure, database, duration and outcome, but never its values. */
  #note({ name }: CurrentDatabase, procedure: AnyProcedure, started: number, end: CallEnd, error?: number): void {
    const { log, context } = this.#with;
    const took = performance.now() - started;
    context.measures.called(name, procedure.name, took);
    if (context.tracer !== undefined)
      this.#trace(name, procedure.name, { started, milliseconds: took, status: end.status, error });
    if (log.verbose)
      log.lines().debug('call', { database: name, milliseconds: Math.round(took * 1000) / 1000, ...end });
  }

  #trace(
    database: string,
    procedure: string,
    end: Pick<CallSpan, 'started' | 'milliseconds' | 'status' | 'error'>,
  ): void {
    const { log, context, identity, traceParent } = this.#with;
    const { spid: session, login } = identity;
    const { activity } = log;
    context.tracer?.called({ database, procedure, session, login, ...end, parent: traceParent(), activity });
  }

  /** A deadlock, and a snapshot that was ended or overtaken by other commits, end the client's transaction. */
  async unlessLost<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof SqlError) || !losing.has(error.number)) throw error;
      if (this.#with.transactions.count > 0) await this.#with.undo();
      throw this.refusal(error);
    }
  }

  /** Except under SNAPSHOT, a write conflict is reported as a deadlock (1205). */
  refusal(error: unknown): unknown {
    const { options, identity } = this.#with;
    const isConflict = error instanceof SqlError && error.number === 3960;
    return isConflict && options.isolation !== 'snapshot' ? sqlError(1205, identity.spid, 'lock') : error;
  }

  #caller({ isSystem, name }: AnyProcedure, place: CurrentDatabase, signal: AbortSignal): Caller {
    const facts = this.#facts(place, signal);
    return {
      preparing: () => this.#preparing(name, place, facts),
      call: (db) => (isSystem ? new SessionCall(db, facts) : new HandlerCall(db, facts)),
    };
  }

  #preparing(name: string, place: CurrentDatabase, { database, kind, login, signal, log }: CallFacts): Preparing {
    const { arrivals, view } = this.#with.context;
    const until: Preparing['until'] = (awaited, milliseconds) => {
      if (this.#with.transactions.count > 0) throw sqlError(574, name);
      return arrivals.until(place.database, awaited, milliseconds, signal);
    };
    return { database, kind, login, signal, log: log(), threads: view.threads, until };
  }

  #facts(place: CurrentDatabase, signal: AbortSignal): CallFacts {
    const { context, identity, log, tsql } = this.#with;
    return {
      database: place.name,
      kind: place.registry.kind.name,
      spid: identity.spid,
      login: identity.login,
      through: identity.through,
      signal,
      server: this.#with.server,
      now: () => roundToDatetime(context.clock.now()),
      log: () => log.lines(),
      tsql: () => tsql(signal),
    };
  }
}

/** How a call ended: what it returned, or the number of its error or what a fault said. */
interface CallEnd {
  readonly status?: number;
  readonly error?: number | string;
}

/** From this severity on, an error is the server's fault and not the client's: a full disk, no memory. */
const lackOfResources = 17;

/** Errors that always roll back the client's transaction; the last two are those of a lost PostgreSQL. */
const losing: ReadonlySet<number> = new Set([1205, 3960, 3966, 40197, 40613]);

/**
 * A fault of the engine may be due to a database that was dropped during the call; refusals and cancellations are
 * passed on.
 */
async function reasonOf(thrown: unknown, place: CurrentDatabase, signal: AbortSignal): Promise<unknown> {
  return thrown instanceof SqlError || signal.aborted ? thrown : place.reasonOf(thrown);
}
