import type { Distribution, Family } from '../base/log/measures.ts';
import type { DatabaseSize, Engine } from '../engine/engine.ts';
import type { DatabaseEntry, ServerView, SessionEntry } from '../procedure/server-view.ts';
import { type Check, findings, inTime, reasonOf } from './health.ts';
import { json, type Route } from './route.ts';

/** The status of a server for its operator: `granary status`. */
export interface Status {
  readonly server: string;
  readonly release: string;
  readonly process: number;
  readonly started: string;
  readonly engine: string;
  readonly address: string;
  /** When the server's certificate runs out. */
  readonly certificateUntil: string;
  readonly callsPerSecond: number;
  readonly databases: readonly DatabaseStatus[];
  readonly sessions: readonly SessionStatus[];
  readonly slowest: readonly ProcedureStatus[];
  readonly waits: readonly WaitStatus[];
  /** What is wrong, in words; empty where all is well. */
  readonly wrong: readonly string[];
}

interface DatabaseStatus {
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly bytes: number;
  readonly logBytes: number;
}

interface SessionStatus {
  readonly session: number;
  readonly login: string;
  readonly program: string;
  readonly address: string;
  readonly database: string;
  readonly connected: string;
  /** The nesting of its own transactions. */
  readonly transactions: number;
  /** The procedure or statement that runs now, or an empty text. */
  readonly running: string;
}

interface ProcedureStatus {
  readonly database: string;
  readonly procedure: string;
  readonly calls: number;
  readonly meanMs: number;
  /** The bound of the bucket that 99 of 100 calls stay within. */
  readonly p99Ms: number;
}

interface WaitStatus {
  readonly session: number;
  readonly blockedBy: number;
  readonly since: string;
  readonly resource: string;
}

/** The parts that the status is made from. */
export interface StatusSources {
  readonly release: string;
  readonly address: () => string;
  readonly engine: Pick<Engine, 'name' | 'sizes'>;
  readonly view: ServerView;
  readonly calls: Family<Distribution>;
  readonly certificate: ShownCertificate;
  perSecond(): number;
  checks(): Promise<readonly Check[]>;
}

/** The certificate that clients are shown. */
interface ShownCertificate {
  readonly until: Date;
  /** What keeps clients that check it away. */
  trouble(): string | undefined;
}

/** What is wrong with a certificate, in words. */
export function wrongWith(certificate: ShownCertificate): string[] {
  const trouble = certificate.trouble();
  return trouble === undefined ? [] : [`certificate: ${trouble}`];
}

/** Procedures that are shown as the slowest. */
const shown = 10;

/** `/status`: who is connected, what they run and whom they wait for; for operators only. */
export const statusRoute = (sources: StatusSources): Route => ({
  path: '/status',
  access: 'operator',
  answer: async () => json(200, await status(sources)),
});

async function status(sources: StatusSources): Promise<Status> {
  const { release, address, engine, view, calls, certificate, perSecond, checks } = sources;
  const failed = new Map<string, string>();
  /** What cannot be told while the engine is away is left out, and that it is away is what is wrong. */
  const told = async <T>(asked: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await inTime(asked);
    } catch (error) {
      // Its own check gives the reason, if there is one.
      if (!failed.has('engine')) failed.set('engine', reasonOf(error));
      return otherwise;
    }
  };
  for (const { name, ok, reason = '' } of await findings(await told(checks(), []))) if (!ok) failed.set(name, reason);
  const [sizes, listed, waits] = await Promise.all([
    told(engine.sizes(), []),
    told(view.databases(), []),
    told(view.waits(), []),
  ]);
  return {
    server: view.name,
    release,
    process: process.pid,
    started: view.started.toISOString(),
    engine: engine.name,
    address: address(),
    certificateUntil: certificate.until.toISOString(),
    callsPerSecond: Math.round(perSecond() * 10) / 10,
    databases: databases(sizes, listed, failed),
    sessions: view.sessions().map(sessionStatus),
    slowest: slowest(calls),
    waits: waits.map(({ spid, blockedBy, since, resource }) => ({
      session: spid,
      blockedBy,
      since: since.toISOString(),
      resource,
    })),
    wrong: [...[...failed].map(([name, reason]) => `${name}: ${reason}`), ...wrongWith(certificate)],
  };
}

const sessionStatus = ({
  spid,
  login,
  program,
  address,
  database,
  connected,
  transactions,
  command,
}: SessionEntry) => ({
  session: spid,
  login,
  program,
  address,
  database,
  connected: connected.toISOString(),
  transactions,
  running: command,
});

function databases(
  sizes: readonly DatabaseSize[],
  listed: readonly DatabaseEntry[],
  failed: ReadonlyMap<string, string>,
): DatabaseStatus[] {
  const sizeOf = new Map(sizes.map((size) => [size.name, size]));
  return listed
    .filter(({ kind }) => kind !== 'system')
    .map(({ name, kind }) => {
      const { bytes = 0, logBytes = 0 } = sizeOf.get(name) ?? {};
      return { name, kind, state: failed.has(`database ${name}`) ? 'SUSPECT' : 'ONLINE', bytes, logBytes };
    });
}

function slowest(calls: Family<Distribution>): ProcedureStatus[] {
  const milliseconds = (seconds: number) => Math.round(seconds * 1e5) / 100;
  return calls
    .all()
    .map(({ labels: { database = '', procedure = '' }, kept }) => ({
      database,
      procedure,
      calls: kept.count,
      meanMs: milliseconds(kept.sum / kept.count),
      p99Ms: milliseconds(kept.quantile(0.99)),
    }))
    .toSorted((one, other) => other.meanMs - one.meanMs)
    .slice(0, shown);
}
