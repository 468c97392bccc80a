import { wireParams } from '../../src/client/call.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { updateSucceededItem } from '../../src/protocols/translation/update-succeeded-item.ts';
import { fillJobs } from './fill/jobs.ts';
import { databaseOf } from './fill/store.ts';
import { type Caller, pick } from './load.ts';
import type { PeerSize } from './postgres-peer.ts';
import type { Bench } from './scenario.ts';
import { BenchServer } from './server.ts';

/** The items that are finished, over and over: as many for Granary as for its peers. */
export const size: PeerSize = { jobs: 100, itemsInAJob: 1000 };

/** A server whose items all are in progress. */
export function startServer({ profiles }: Bench): Promise<BenchServer> {
  return BenchServer.start({
    profiles,
    fill: async (engine) => {
      await fillJobs(await databaseOf(engine, translation.firstDatabase), { ...size, state: 'in progress' });
    },
  });
}

/** A client that finishes a random item at each call. */
export async function finisher(server: BenchServer): Promise<Caller> {
  const connection = await server.open(translation.firstDatabase);
  return () =>
    connection.rpcUnread([
      {
        procedure: updateSucceededItem.name,
        params: wireParams(updateSucceededItem, {
          JobId: BigInt(pick(size.jobs)),
          GroupId: 1,
          ItemId: pick(size.itemsInAJob),
        }),
      },
    ]);
}
