import { randomUUID } from 'node:crypto';
import type { Client } from '../../../src/client/client.ts';
import { addGroup } from '../../../src/protocols/translation/add-group.ts';
import { addJob } from '../../../src/protocols/translation/add-job.ts';
import { translationClaims } from '../../../src/protocols/translation/claims.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { submitJob } from '../../../src/protocols/translation/submit-job.ts';
import type { Bench } from '../scenario.ts';
import { BenchServer } from '../server.ts';
import { fetchers, type Item, inBatches, itemsFetched, itemsInABatch, producers, type Queue } from './queue.ts';

const schemas = 'http://schemas.microsoft.com/office/server/translation/2010/11';
const { claimItems, finishItems } = translationClaims;
const connections = (count: number) => Array.from({ length: count });

/** The translation protocol with claims: jobs of 1,000 items, workers that claim a batch and finish it at once. */
export async function granary({ engine, profiles }: Bench): Promise<Queue> {
  await using cleanUp = new AsyncDisposableStack();
  const server = cleanUp.use(await BenchServer.start({ engine, profiles }));
  const database = translation.firstDatabase;
  const adding = await Promise.all(connections(producers).map(() => server.connect(database)));
  const finishing = await Promise.all(connections(fetchers).map(() => server.connect(database)));
  for (const client of [...adding, ...finishing]) cleanUp.use(client);
  const disposal = cleanUp.move();
  let lastJob = 0n;
  return {
    name: `Granary on ${engine}`,
    settings: `jobs of ${itemsInABatch} items; ${fetchers} times granary.ClaimItems and FinishItems of ${itemsFetched} at once`,
    enqueue: (items) =>
      inBatches(items, (batch, producer) => {
        const client = adding[producer];
        if (client === undefined) throw new Error(`there is no producer ${producer}`);
        return add(client, ++lastJob, batch);
      }),
    async finish(items) {
      const finished = await Promise.all(finishing.map((client) => work(client)));
      const done = finished.reduce((sum, each) => sum + each, 0);
      if (done !== items) throw new Error(`${done} of ${items} items were finished`);
    },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}

async function add(client: Client, job: bigint, items: readonly Item[]): Promise<void> {
  const listed = items.map(({ input, output }, at) => `<item id="${at + 1}" in="${input}" out="${output}" />`);
  await client.call(addJob, {
    JobId: job,
    UserToken: Buffer.alloc(16),
    Settings: '<settings/>',
    ItemCount: items.length,
  });
  await client.call(addGroup, {
    JobId: job,
    GroupId: 1,
    InputRoot: 'http://contoso.com',
    OutputRoot: 'http://contoso.com',
    MaxAttemptsCount: 2,
    JobXml: `<group xmlns="${schemas}/databaseJobAdd">${listed.join('')}</group>`,
  });
  await client.call(submitJob, { JobId: job });
}

/** Claims and finishes until nothing is left; returns how many. */
async function work(client: Client): Promise<number> {
  const Worker = randomUUID();
  for (let done = 0; ; ) {
    const { sets } = await client.call(claimItems, { Worker, Count: itemsFetched });
    if (sets.Items.length === 0) return done;
    const items = sets.Items.map(({ JobId, GroupId, ItemId, Lease }) => ({
      job: `${JobId}`,
      group: GroupId,
      item: ItemId,
      lease: `${Lease}`,
    }));
    const { sets: answer } = await client.call(finishItems, { Items: JSON.stringify(items) });
    done += items.length - answer.Lost.length;
  }
}
