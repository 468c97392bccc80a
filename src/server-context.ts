import type { Accounts } from './accounts/accounts.ts';
import type { Administration } from './accounts/administration.ts';
import type { Clock } from './base/clock.ts';
import type { Log } from './base/log/log.ts';
import type { Measures } from './base/log/measures.ts';
import type { Tracer } from './base/log/tracer.ts';
import type { Threads } from './base/threads/threads.ts';
import type { Engine } from './engine/engine.ts';
import { Arrivals } from './procedure/arrivals.ts';
import { CallTap } from './procedure/call-tap.ts';
import type { Kind } from './procedure/kind.ts';
import { Registry } from './procedure/registry.ts';
import { CallMeasures } from './session/calls/call-measures.ts';
import type { EncryptionPolicy, ServerContext, SessionLimits } from './session/context.ts';
import { LiveServerView, type Sessions } from './session/seen/live-server-view.ts';
import { ServerMemory } from './session/seen/server-memory.ts';
import { ReaderGates } from './session/transactions/reader-gates.ts';
import type { WindowsAuthentication } from './sspi/windows-authentication.ts';
import { TempDb } from './tsql/storage/temp-db.ts';

/** What sessions are served with. */
interface ContextOptions {
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly administration: Administration;
  /** Every kind of database, the kind `system` among them. */
  readonly kinds: readonly Kind[];
  readonly limits: SessionLimits;
  readonly encryption: EncryptionPolicy;
  readonly windows?: WindowsAuthentication | undefined;
  /** They outlive the server, whose calls wait for them. */
  readonly threads: Threads;
  readonly serverName: string;
  readonly version: string;
  /** Called when a call has left work for the upkeep of its database. */
  wakeUpkeep(): void;
  readonly clock: Clock;
  readonly log: Log;
  readonly measures: Measures;
  readonly tracer?: Tracer | undefined;
}

/** Puts together what all sessions of a server share. */
export function createContext(options: ContextOptions, sessions: Sessions): ServerContext {
  const { engine, accounts, clock, log, encryption, limits, kinds } = options;
  const memory = new ServerMemory(limits);
  const registries = new Map(kinds.map((kind) => [kind.name, new Registry(kind)]));
  const arrivals = new Arrivals({ clock });
  const endTransaction = (spid: number) =>
    sessions
      .all()
      .find((session) => session.spid === spid)
      ?.endTransaction();
  const tempDb = new TempDb(memory.shared, { longest: limits.blockingTimeout, end: endTransaction });
  return {
    engine,
    accounts,
    clock,
    log,
    encryption,
    windows: options.windows,
    limits,
    registry: (kind) => registries.get(kind),
    view: new LiveServerView({ ...options, tempDb }, sessions),
    tempDb,
    memory,
    measures: new CallMeasures(options.measures),
    tracer: options.tracer,
    tap: new CallTap(),
    readers: new ReaderGates(log, {
      mostInAll: engine.mostHeld,
      longestWait: limits.sendTimeout,
      longestHold: limits.transactionTimeout,
      longestBlock: limits.blockingTimeout,
    }),
    arrivals,
    wakeUpkeep: () => options.wakeUpkeep(),
  };
}
