import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { Db, Work } from '../../engine/db.ts';
import type { Preparing } from '../../procedure/call.ts';
import type { AnyProcedure } from '../../procedure/declare.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Relation } from '../../procedure/relations/relation.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import { type Caller, execute } from '../../procedure/run/execute.ts';
import type { Executed } from '../../procedure/run/executed.ts';
import type { Sink } from '../../procedure/run/sink.ts';
import type { TransactionSource } from '../../procedure/run/transaction-source.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { roundToDatetime } from '../../tds/types/index.ts';
import type { ChangedTable, DeclaredProcedure, Host } from '../../tsql/host.ts';
import type { CurrentDatabase } from '../current-database.ts';
import { lazily } from '../transactions/lazy-db.ts';
import { CallSource } from './call-source.ts';
import type { CallsOptions } from './calls-options.ts';
import { EndedCalls, type Ran } from './ended-calls.ts';
import { type CallFacts, HandlerCall, SessionCall } from './handler-call.ts';
import { begunCall, counted, recorded } from './tapped.ts';

/**
 * Runs declared procedures, and reads and changes relations, for one session: checks the permission, provides the
 * transaction, logs the call and notifies upkeep.
 */
export class Calls {
  readonly #with: CallsOptions;
  readonly #ended: EndedCalls;
  /** True when a call in the client's transaction has left work for upkeep, to be announced after the commit. */
  #leftWork = false;
  /** The databases in which calls of the client's transaction have added work, to be announced after the commit. */
  #broughtTo: Set<string> | undefined;
  /** Milliseconds for which the running call has waited for what it was told to wait for. */
  #waited = 0;

  constructor(options: CallsOptions) {
    this.#with = options;
    this.#ended = new EndedCalls(options);
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
    return new CallSource(this.#with, place.database, signal);
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
    return recorded(recording, () => this.#run(place, procedure, args, counted(sink, recording), signal), signal);
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
    this.#waited = 0;
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
      this.#ended.succeeded(this.#ran(place, procedure, started), executed.status);
      log.procedure = '';
      if (procedure.leavesWork) this.#leaveWork();
      if (procedure.bringsWork) this.#bringWork(place);
      return executed;
    } catch (thrown) {
      const error = await reasonOf(thrown, place, signal);
      this.#ended.failed(this.#ran(place, procedure, started), error, signal.reason);
      // After a fault the name is kept, so that the log line of the fault includes it.
      if (!(error instanceof SqlError)) throw error;
      log.procedure = '';
      throw error.procedure === '' ? error.at({ procedure: procedure.name }) : error;
    }
  }

  #ran(place: CurrentDatabase, procedure: AnyProcedure, started: number): Ran {
    return { database: place.name, procedure: procedure.name, started, waited: this.#waited };
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

  #caller({ isSystem, name }: AnyProcedure, place: CurrentDatabase, signal: AbortSignal): Caller {
    const facts = this.#facts(place, signal);
    return {
      preparing: () => this.#preparing(name, place, facts),
      call: (db) => (isSystem ? new SessionCall(db, facts) : new HandlerCall(db, facts)),
    };
  }

  #preparing(name: string, place: CurrentDatabase, { database, kind, login, signal, log }: CallFacts): Preparing {
    const { arrivals, view } = this.#with.context;
    const until: Preparing['until'] = async (awaited, milliseconds) => {
      if (this.#with.transactions.count > 0) throw sqlError(574, name);
      const began = performance.now();
      try {
        return await arrivals.until(place.database, awaited, milliseconds, signal);
      } finally {
        this.#waited += performance.now() - began;
      }
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

/**
 * A fault of the engine may be due to a database that was dropped during the call; refusals and cancellations are
 * passed on.
 */
async function reasonOf(thrown: unknown, place: CurrentDatabase, signal: AbortSignal): Promise<unknown> {
  return thrown instanceof SqlError || signal.aborted ? thrown : place.reasonOf(thrown);
}
