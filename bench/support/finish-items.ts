import { translation } from '../../src/protocols/translation/kind.ts';
import { updateSucceededItem } from '../../src/protocols/translation/update-succeeded-item.ts';
import { callUnread } from './calls.ts';
import { fillJobs } from './fill/jobs.ts';
import { databaseOf } from './fill/store.ts';
import type { Items, Order, Size } from './items.ts';
import type { Caller } from './load.ts';
import type { Bench } from './scenario.ts';
import { BenchServer } from './server.ts';

/** A server whose items all are in progress. */
export function startServer({ profiles, engine }: Bench, size: Size): Promise<BenchServer> {
  return BenchServer.start({
    engine,
    profiles,
    fill: async (engine) => {
      await fillJobs(await databaseOf(engine, translation.firstDatabase), { ...size, state: 'in progress' });
    },
  });
}

/** A client that finishes an item at each call. */
export async function finisher(server: BenchServer, items: Items): Promise<(order: Order) => Caller> {
  const connection = await server.open(translation.firstDatabase);
  return (order) => () => {
    const { job, item } = items.next(order);
    return callUnread(connection, updateSucceededItem, { JobId: BigInt(job), GroupId: 1, ItemId: item });
  };
}
