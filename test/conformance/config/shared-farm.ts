import { after } from 'node:test';
import { type Clock, ManualClock } from '../../../src/base/clock.ts';
import { config } from '../../../src/protocols/config/kind.ts';
import type { EngineName } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { Farm, rootClass } from './farm.ts';
import type { FarmServer } from './with-farm.ts';

/** Runs a test on a fresh configuration database, by the test's own clock; the root class is registered. */
export type WithFarm = (work: (farm: Farm, more: FarmServer) => Promise<void>, ownClock?: ManualClock) => Promise<void>;

/** For a suite whose tests share a server, each with a database of its own: to start a server takes far longer. */
export function sharedFarm(engine: EngineName): WithFarm {
  // The tests of a suite run one after another, so the clock is that of the one that runs.
  let present: Clock = new ManualClock();
  const clock: Clock = { now: () => present.now() };
  let started: Promise<TestServer> | undefined;
  let databases = 0;
  after(async () => {
    await (await started)?.[Symbol.asyncDispose]();
  });
  return async (work, ownClock = new ManualClock()) => {
    started ??= startServer({ engine, kinds: [config], clock });
    const server = await started;
    present = ownClock;
    const name = `Farm_${++databases}`;
    await server.granary.engine.create(name, 'config');
    await using clients = new AsyncDisposableStack();
    const connect = async () => new Farm(clients.use(await server.connect(name)));
    const farm = await connect();
    await farm.putClass(rootClass, null);
    await work(farm, { farm, connect });
  };
}
