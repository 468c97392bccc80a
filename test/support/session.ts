import { after } from 'node:test';
import { Accounts } from '../../src/accounts/accounts.ts';
import { Administration } from '../../src/accounts/administration.ts';
import { accountsSchema } from '../../src/accounts/schema.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { Measures } from '../../src/base/log/measures.ts';
import { Threads } from '../../src/base/threads/threads.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { AnyProcedure } from '../../src/procedure/declare.ts';
import type { Relation } from '../../src/procedure/relations/relation.ts';
import { createContext } from '../../src/server-context.ts';
import { CurrentDatabase } from '../../src/session/current-database.ts';
import type { MemoryLimits } from '../../src/session/seen/server-memory.ts';
import { SessionHost } from '../../src/session/session-host.ts';
import { systemProcedures } from '../../src/system/procedures.ts';
import { systemRelations } from '../../src/system/relations.ts';
import { openEngine } from './engines.ts';

/** How a test's session differs from that of an administrator who has just logged in to master. */
export interface TestSession {
  /** What master declares besides the system's own. */
  readonly procedures?: readonly AnyProcedure[];
  readonly relations?: readonly Relation[];
  readonly isAdministrator?: boolean;
  readonly statementMemory?: number;
  /** Limits of the session, its login and its server; none unless told. */
  readonly memory?: Partial<MemoryLimits>;
}

const unbounded: MemoryLimits = {
  sessionMemory: Number.POSITIVE_INFINITY,
  loginMemory: Number.POSITIVE_INFINITY,
  serverMemory: Number.POSITIVE_INFINITY,
};

/** The sessions of a test file share an engine, on which the login has no role: it may use the system databases only. */
const other = { kind: 'other', migrations: [] };
let shared: Promise<Engine> | undefined;

async function sharedEngine(): Promise<Engine> {
  const engine = await openEngine('sqlite', { schemas: [accountsSchema, other] });
  await engine.create('Other', other.kind);
  return engine;
}

after(async () => {
  await (await shared)?.stop();
});

/** A session without a wire, on a server of its own whose clock only the test moves. */
export async function openSession(options: TestSession = {}): Promise<SessionHost> {
  shared ??= sharedEngine();
  const engine = await shared;
  const { procedures = [], relations = [], isAdministrator = true } = options;
  const settings = settingsWith({});
  const { lockTimeout, loginTimeout, packetSize, executionTimeout, maxBatchSize: maxBatch } = settings;
  const { statementMemory = settings.maxStatementMemory, memory = {} } = options;
  const clock = new ManualClock();
  const accounts = new Accounts(engine.system, { clock });
  const system = {
    name: 'system',
    firstDatabase: 'master',
    procedures: [...systemProcedures, ...procedures],
    relations: [...systemRelations, ...relations],
    schema: accountsSchema,
  };
  const context = createContext(
    {
      engine,
      accounts,
      administration: new Administration(engine, accounts),
      kinds: [system, { name: other.kind, firstDatabase: 'Other', procedures: [], relations: [], schema: other }],
      limits: {
        lockTimeout,
        loginTimeout,
        packetSize,
        executionTimeout,
        idleTransactionTimeout: 0,
        transactionTimeout: 0,
        blockingTimeout: 0,
        sendTimeout: settings.sendTimeout,
        maxBatch,
        statementMemory,
        ...unbounded,
        ...memory,
      },
      encryption: settings.encryption,
      threads: new Threads(silentLog),
      serverName: 'GRANARY',
      version: settings.reportedVersion,
      wakeUpkeep: () => {},
      clock,
      log: silentLog,
      measures: new Measures(),
    },
    { all: () => [] },
  );
  const home = await CurrentDatabase.open(context, { login: 'sa', through: ['sa'] }, 'master');
  return new SessionHost(
    context,
    {
      spid: 51,
      login: 'sa',
      through: ['sa'],
      authentication: 'SQL',
      user: isAdministrator ? 'dbo' : 'sa',
      host: 'bench',
      program: 'test',
      processId: 4711,
      isAdministrator,
    },
    { odbc: true, knowsNoLimit: true, clientAddress: '127.0.0.1', serverAddress: '127.0.0.1', port: 1433 },
    { home, current: home },
    {
      login: 'sa',
      spid: 51,
      transaction: () => undefined,
      databaseChanged: () => {},
      stalledSince: () => undefined,
      cut: () => {},
      expire: () => {},
    },
  );
}
