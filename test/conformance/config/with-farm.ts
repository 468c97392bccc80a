import type { ManualClock } from '../../../src/base/clock.ts';
import { config } from '../../../src/protocols/config/kind.ts';
import type { EngineName } from '../../support/engines.ts';
import { startServer } from '../../support/server.ts';
import { Farm, rootClass } from './farm.ts';

/** A server of its own with a configuration database, and clients of it. */
export interface FarmServer {
  readonly farm: Farm;
  /** Another connection. */
  connect(): Promise<Farm>;
}

/** Runs a test on a fresh configuration database; the root class is registered. */
export async function withFarm(
  engine: EngineName,
  work: (farm: Farm, more: FarmServer) => Promise<void>,
  clock?: ManualClock,
): Promise<void> {
  await using server = await startServer({ engine, kinds: [config], ...(clock === undefined ? {} : { clock }) });
  const connect = async () => new Farm(await server.connect('SharePoint_Config'));
  const farm = await connect();
  await farm.putClass(rootClass, null);
  await work(farm, { farm, connect });
}
