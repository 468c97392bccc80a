import { after } from 'node:test';
import { type Clock, ManualClock } from '../../../src/base/clock.ts';
import type { Database } from '../../../src/engine/db.ts';
import type { Kind } from '../../../src/procedure/kind.ts';
import type { TestClient } from '../../support/client.ts';
import { type EngineName, forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** What a test of one search database has. */
export interface SearchDatabase {
  readonly client: TestClient;
  /** A further connection to the same database. */
  connect(): Promise<TestClient>;
  /** The database underneath, for what no client of this protocol brings about. */
  readonly database: Database;
  readonly clock: ManualClock;
}

/** Runs a test on a database of its own. */
export type WithSearch = (work: (search: SearchDatabase) => Promise<void>) => Promise<void>;

/** Runs a suite for each engine, each test on a new database of the kind and by a clock that stands still. */
export function forEachSearch(kind: Kind, suite: (withSearch: WithSearch, engine: EngineName) => void): void {
  forEachEngine((engine) => suite(databasesOn(engine, kind), engine));
}

function databasesOn(engine: EngineName, kind: Kind): WithSearch {
  let clock = new ManualClock();
  const present: Clock = { now: () => clock.now() };
  let server: Promise<TestServer> | undefined;
  after(async () => (await server)?.[Symbol.asyncDispose]());
  return async (work) => {
    server ??= startServer({ engine, kinds: [kind], clock: present, spares: { [kind.name]: 8 } });
    clock = new ManualClock();
    const running = await server;
    const database = await running.newDatabase(kind.name);
    await using clients = new AsyncDisposableStack();
    const connect = async () => clients.use(await running.connect(database.name));
    await work({ client: await connect(), connect, database, clock });
  };
}
