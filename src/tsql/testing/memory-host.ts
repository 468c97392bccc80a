import { ManualClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { MemoryBudget } from '../../base/memory-budget.ts';
import { type SqlError, sqlError } from '../../base/sql-error.ts';
import { Threads } from '../../base/threads.ts';
import type { Db } from '../../engine/db.ts';
import { AppLocks } from '../../procedure/app-locks.ts';
import type { AnyProcedure } from '../../procedure/declare.ts';
import { execute } from '../../procedure/execute.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Relation } from '../../procedure/relation.ts';
import type { ServerView } from '../../procedure/server-view.ts';
import type { Column } from '../../procedure/sink.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { int, nvarchar } from '../../tds/types/index.ts';
import type { TypedValue } from '../../tds/types/sql-type.ts';
import { firstColumns, undeclaredVariables } from '../describe-batch.ts';
import type { ConnectionFacts, DeclaredProcedure, Host, Logins, Transactions } from '../host.ts';
import { defaultOptions } from '../options.ts';
import { runBatch } from '../run-batch.ts';
import { SessionState } from '../session-state.ts';
import type { StatementEnd, StatementSink } from '../statement-sink.ts';
import { clientObjects } from '../storage/client-objects.ts';
import { TempDb } from '../storage/temp-db.ts';

/** Transactions that only count. */
class CountedTransactions implements Transactions {
  count = 0;
  state: -1 | 0 | 1 = 0;
  readonly #savepoints = new Set<string>();

  async begin(): Promise<void> {
    this.count++;
    if (this.state === 0) this.state = 1;
  }

  async commit(): Promise<void> {
    if (this.state === -1) throw sqlError(3930);
    if (--this.count === 0) this.#end();
  }

  async rollback(): Promise<void> {
    this.#end();
  }

  async save(name: string): Promise<void> {
    this.#savepoints.add(name);
  }

  async rollbackTo(name: string): Promise<boolean> {
    return this.#savepoints.has(name);
  }

  doom(): void {
    this.state = -1;
  }

  #end(): void {
    this.count = 0;
    this.state = 0;
    this.#savepoints.clear();
  }
}

/** A handler or relation of a test that touches no database gets one that refuses everything. */
const noDb: Db = {
  rows: refuse,
  all: refuse,
  first: refuse,
  run: refuse,
  insert: refuse,
  load: refuse,
  truncate: refuse,
};

function refuse(): never {
  throw new Error('a test without a database asked for one');
}

/** A session in memory, for tests of the interpreter. */
export class MemoryHost implements Host {
  readonly tempDb = new TempDb();
  readonly memory = new MemoryBudget(Number.POSITIVE_INFINITY);
  statementMemory = 64 * 1024 * 1024;
  readonly identity = { spid: 51, login: 'sa', user: 'dbo', host: 'bench', program: 'test', isAdministrator: true };
  readonly connection: ConnectionFacts = {
    odbc: true,
    knowsNoLimit: true,
    clientAddress: '127.0.0.1',
    serverAddress: '127.0.0.1',
    port: 1433,
  };
  readonly clock = new ManualClock();
  readonly options = defaultOptions();
  readonly state = new SessionState();
  /** The calls that CREATE, ALTER and DROP LOGIN made. */
  readonly loginCalls: unknown[][] = [];
  readonly logins: Logins = {
    create: async (...args) => void this.loginCalls.push(['create', ...args]),
    setPassword: async (...args) => void this.loginCalls.push(['setPassword', ...args]),
    drop: async (...args) => void this.loginCalls.push(['drop', ...args]),
  };
  readonly transactions = new CountedTransactions();
  readonly procedures: AnyProcedure[] = [];
  readonly relations: Relation[] = [];
  readonly server: ServerView;
  database = 'master';
  readonly #databases = ['master', 'tempdb', 'Other'];

  constructor() {
    const { procedures, relations } = this;
    const refused = () => Promise.reject(new Error('nothing is administrated here'));
    this.server = {
      administration: { createDatabase: refused, dropDatabase: refused, grant: refused, revoke: refused },
      name: 'GRANARY',
      version: '15.0.2000.5',
      started: this.clock.now(),
      databases: async () =>
        this.#databases.map((name, at) => ({ name, kind: 'test', id: at + 1, created: new Date(0) })),
      kind: () => ({
        name: 'test',
        firstDatabase: 'master',
        procedures,
        relations,
        schema: { kind: 'test', migrations: [] },
      }),
      sessions: () => [],
      endSession: () => false,
      locks: new AppLocks(),
      threads: new Threads(silentLog),
      logins: async () => [],
    };
  }

  async use(name: string): Promise<void> {
    const found = this.#databases.find((each) => each.toLowerCase() === name.toLowerCase());
    if (found === undefined) throw sqlError(911, name);
    this.database = found;
  }

  async hasAccess(name: string): Promise<boolean> {
    return name !== 'Other';
  }

  async rowVersion(): Promise<bigint> {
    return 4n;
  }

  serverProperty(name: string): TypedValue | undefined {
    return name === 'Edition'
      ? { type: nvarchar(128), value: 'Test' }
      : name === 'EngineEdition'
        ? { type: int, value: 3 }
        : undefined;
  }

  async declared(name: ObjectName): Promise<DeclaredProcedure | undefined> {
    const procedure = this.procedures.find((each) => each.name.toLowerCase() === name.name.toLowerCase());
    if (procedure === undefined) return undefined;
    const scope = {
      read: <T>(work: (db: Db) => Promise<T>) => work(noDb),
      write: <T>(work: (db: Db) => Promise<T>) => work(noDb),
    };
    return {
      procedure,
      run: (args, sink, signal) =>
        execute(procedure, args, scope, { preparing: refuse, call: () => this.#call(signal) }, sink),
    };
  }

  write = refuse;

  async relation({ schema = 'dbo', name }: ObjectName): Promise<Relation | undefined> {
    return this.relations.find(
      (each) => each.name.toLowerCase() === name.toLowerCase() && each.schema === schema.toLowerCase(),
    );
  }

  async read<T>(
    _database: string | undefined,
    work: (call: SystemCall) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    return work(this.#call(signal));
  }

  #call(signal: AbortSignal): SystemCall {
    const { spid, login } = this.identity;
    return {
      tsql: {
        ...clientObjects([this.state]),
        columns: (text, declarations) => firstColumns(this, text, declarations, signal),
        undeclared: (text, declarations) => undeclaredVariables(this, text, declarations, signal),
      },
      db: noDb,
      now: this.clock.now(),
      database: this.database,
      kind: 'test',
      spid,
      login,
      signal,
      log: silentLog,
      server: this.server,
    };
  }
}

/** Everything that a batch reported, in order and by kind. */
export class Recorder implements StatementSink {
  readonly sets: { columns: readonly Column[]; rows: unknown[][] }[] = [];
  readonly errors: SqlError[] = [];
  readonly messages: { number: number; text: string }[] = [];
  readonly dones: StatementEnd[] = [];
  readonly events: string[] = [];

  columns(columns: readonly Column[]): void {
    this.sets.push({ columns, rows: [] });
    this.events.push('columns');
  }

  row(values: readonly unknown[]): void {
    const set = this.sets.at(-1);
    // The wire has no NULL for such a column: whatever says that it is never NULL has to be right.
    const wrong = set?.columns.find(
      ({ nullable, type }, at) => !nullable && type.fixed && (values[at] ?? null) === null,
    );
    if (wrong !== undefined) throw new Error(`${wrong.name} is NULL in a column that is never NULL`);
    set?.rows.push([...values]);
  }

  endRows(count: number): void {
    this.events.push(`rows ${count}`);
  }

  info({ number, text }: { number: number; text: string }): void {
    this.messages.push({ number, text });
    this.events.push(`info ${number}`);
  }

  done(end: StatementEnd): void {
    this.dones.push(end);
    this.events.push(
      `done ${end.command}${end.count === undefined ? '' : ` ${end.count}`}${end.failed ? ' failed' : ''}`,
    );
  }

  error(error: SqlError): void {
    this.errors.push(error);
    this.events.push(`error ${error.number}`);
  }

  enter(procedure: string): void {
    this.events.push(`enter ${procedure}`);
  }

  leave(status: number | undefined): void {
    this.events.push(`leave ${status}`);
  }
}

/** Runs a batch and returns what it reported. */
export async function batch(host: MemoryHost, text: string): Promise<Recorder> {
  const recorder = new Recorder();
  await runBatch(host, text, recorder, new AbortController().signal);
  return recorder;
}
