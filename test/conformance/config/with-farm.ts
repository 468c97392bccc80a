import { after } from 'node:test';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { Database } from '../../../src/engine/db.ts';
import { config } from '../../../src/protocols/config/kind.ts';
import { type EngineName, forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { Farm, rootClass } from './farm.ts';

/** How a test gets further connections to its configuration database. */
export interface FarmServer {
  readonly farm: Farm;
  connect(): Promise<Farm>;
  /** The database underneath, for a state that no client could bring about in a test's time. */
  readonly database: Database;
}

/** Runs a test on a configuration database of its own, in which the root class is registered. */
export type WithFarm = (work: (farm: Farm, more: FarmServer) => Promise<void>, clock?: Clock) => Promise<void>;

/** Runs a suite once for each engine, by the machine's clock. */
export function forEachFarm(suite: (withFarm: WithFarm, engine: EngineName) => void): void {
  forEachEngine((engine) =>
    suite(
      farmsOn(engine, () => systemClock),
      engine,
    ),
  );
}

/**
 * For the tests of a suite, which share one server: a test needs a database of its own, and a server takes longer to
 * start than a database to make. They run one after another, so the clock is that of the test that runs.
 */
export function farmsOn(engine: EngineName, usualClock: () => Clock): WithFarm {
  let present = usualClock();
  let server: Promise<TestServer> | undefined;
  after(async () => (await server)?.[Symbol.asyncDispose]());
  return async (work, clock = usualClock()) => {
    server ??= startServer({ engine, kinds: [config], clock: { now: () => present.now() }, spares: { config: 10 } });
    present = clock;
    await onDatabase(await server, work);
  };
}

async function onDatabase(server: TestServer, work: Parameters<WithFarm>[0]): Promise<void> {
  const database = await server.newDatabase('config');
  await using clients = new AsyncDisposableStack();
  const connect = async () => new Farm(clients.use(await server.connect(database.name)));
  const farm = await connect();
  await farm.putClass(rootClass, null);
  await work(farm, { farm, connect, database });
}
