import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionConfiguration } from 'tedious';
import type { HashCost } from '../../src/accounts/password.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { jsonLog, type Log, silentLog } from '../../src/base/log/log.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import type { Settings } from '../../src/cli/settings.ts';
import type { Database } from '../../src/engine/db.ts';
import { allKinds } from '../../src/kinds.ts';
import { createServer, type Granary } from '../../src/main.ts';
import { keptKeyPair } from '../../src/net/certificate.ts';
import type { Kind } from '../../src/procedure/kind.ts';
import { TestClient } from './client.ts';
import type { EngineName } from './engines.ts';
import { firstStart, spareName } from './first-start.ts';
import { newPostgresDatabase } from './postgres-database.ts';
import { copyFolder } from './prepared-data.ts';

/** The password of sa in tests. */
export const password = 'Correct-Horse-7';

export interface StartOptions {
  readonly engine?: EngineName;
  readonly clock?: Clock;
  /** The kinds whose first databases are made; all of them unless a test wants a quick start. */
  readonly kinds?: readonly Kind[];
  readonly log?: Log;
  /** What hashing a password costs, where a test has many checked. */
  readonly cost?: HashCost;
  /** How many databases of each kind `newDatabase` will be asked for, about. */
  readonly spares?: Readonly<Record<string, number>>;
  /** Settings that differ from the defaults. */
  readonly settings?: Partial<Settings>;
}

/** A Granary on fresh storage and a free port, with all of its parts; gone, with its data, when disposed. */
export class TestServer implements AsyncDisposable {
  readonly granary: Granary;
  readonly #cleanUp: AsyncDisposableStack;
  readonly #clients: TestClient[] = [];
  readonly #made = new Map<string, number>();

  constructor(granary: Granary, cleanUp: AsyncDisposableStack) {
    this.granary = granary;
    this.#cleanUp = cleanUp;
  }

  get port(): number {
    return this.granary.port;
  }

  /** The configuration of a tedious connection to a database. */
  config(database: string, changes: Partial<ConnectionConfiguration['options']> = {}): ConnectionConfiguration {
    return {
      server: '127.0.0.1',
      authentication: { type: 'default', options: { userName: 'sa', password } },
      options: {
        port: this.port,
        database,
        encrypt: false,
        trustServerCertificate: true,
        connectTimeout: 30_000,
        requestTimeout: 120_000,
        ...changes,
      },
    };
  }

  /** An empty database of a kind, of which nobody else knows. */
  async newDatabase(kind: string): Promise<Database> {
    const { engine } = this.granary;
    const number = (this.#made.get(kind) ?? 0) + 1;
    this.#made.set(kind, number);
    const name = spareName(kind, number);
    return (await engine.open(name)) ?? (await engine.create(name, kind));
  }

  /** Logs in with tedious as sa; the connection ends with the server unless it ended before. */
  async connect(database: string, changes: Partial<ConnectionConfiguration['options']> = {}): Promise<TestClient> {
    const client = await TestClient.open(this.config(database, changes));
    this.#clients.push(client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client[Symbol.asyncDispose]();
    await this.#cleanUp.disposeAsync();
  }
}

let keyFiles: Promise<{ tlsCert: string; tlsKey: string }> | undefined;

/** One certificate a test process: making the key is what a start spends most of its time on. */
function sharedKeyFiles(): Promise<{ tlsCert: string; tlsKey: string }> {
  keyFiles ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'granary-test-tls-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const make = async (place: string) => void (await keptKeyPair(place, 'localhost', new Date(), silentLog));
    if (!(await copyFolder(folder, ['certificate'], make))) await make(folder);
    return { tlsCert: join(folder, 'server.crt'), tlsKey: join(folder, 'server.key') };
  })();
  return keyFiles;
}

/** The settings of every server of a test. */
const usual = async () => ({
  port: 0,
  httpPort: 'off' as const,
  workers: [],
  saPassword: password,
  ...(await sharedKeyFiles()),
});

/** Where servers keep their data, one after another; gone, with the data, when disposed. */
export interface Place extends AsyncDisposable {
  readonly data: string;
  readonly engine: string;
}

/** A place of its own for a test, with what a first start makes where the run keeps that. */
export async function newPlace({ engine = 'sqlite', ...options }: StartOptions = {}): Promise<Place> {
  await using cleanUp = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), 'granary-test-'));
  cleanUp.defer(() => rm(data, { recursive: true, force: true }));
  const first = firstStart(await usual(), options);
  let url = 'sqlite';
  if (engine === 'postgres') url = cleanUp.use(await newPostgresDatabase(first)).url;
  else if (first) await copyFolder(data, first.contents, (folder) => first.make({ data: folder, engine: 'sqlite' }));
  const made = cleanUp.move();
  return { data, engine: url, [Symbol.asyncDispose]: () => made.disposeAsync() };
}

/** Starts a whole server for a test. */
export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const { clock = systemClock, kinds = allKinds, log = testLog } = options;
  await using cleanUp = new AsyncDisposableStack();
  const { data, engine } = cleanUp.use(await newPlace(options));
  const settings = settingsWith({ ...(await usual()), data, engine, ...options.settings });
  const granary = createServer(settings, { clock, kinds, log, ...(options.cost && { cost: options.cost }) });
  cleanUp.use(granary);
  await granary.start();
  return new TestServer(granary, cleanUp.move());
}

/** Tests show what went wrong inside the server, and nothing else. */
const testLog = jsonLog((line) => process.stderr.write(line), 'error');
