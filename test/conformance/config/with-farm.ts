import { after } from 'node:test';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { config } from '../../../src/protocols/config/kind.ts';
import { type EngineName, forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { Farm, rootClass } from './farm.ts';

/** How a test gets further connections to its configuration database. */
export interface FarmServer {
  readonly farm: Farm;
  connect(): Promise<Farm>;
}

/** Runs a test on a configuration database of its own, in which the root class is registered. */
export type WithFarm = (work: (farm: Farm, more: FarmServer) => Promise<void>, clock?: Clock) => Promise<void>;

/**
 * Runs a suite once for each engine, on one server an engine: a test needs a database of its own, and a server takes
 * longer to start than a database to make. The tests of a suite run one after another, so each may set the clock.
 */
export function forEachFarm(suite: (withFarm: WithFarm, engine: EngineName) => void): void {
  forEachEngine((engine) => {
    let present: Clock = systemClock;
    let server: Promise<TestServer> | undefined;
    let databases = 0;
    after(async () => (await server)?.[Symbol.asyncDispose]());

    const withFarm: WithFarm = async (work, clock = systemClock) => {
      server ??= startServer({ engine, kinds: [config], clock: { now: () => present.now() } });
      present = clock;
      await onDatabase(await server, `Config_${++databases}`, work);
    };
    suite(withFarm, engine);
  });
}

async function onDatabase(server: TestServer, name: string, work: Parameters<WithFarm>[0]): Promise<void> {
  await server.granary.engine.create(name, 'config');
  await using clients = new AsyncDisposableStack();
  const connect = async () => new Farm(clients.use(await server.connect(name)));
  const farm = await connect();
  await farm.putClass(rootClass, null);
  await work(farm, { farm, connect });
}
