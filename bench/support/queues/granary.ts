import type { Client } from '../../../src/client/client.ts';
import { addGroup } from '../../../src/protocols/translation/add-group.ts';
import { addJob } from '../../../src/protocols/translation/add-job.ts';
import { getConversionBatch } from '../../../src/protocols/translation/get-conversion-batch.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { submitJob } from '../../../src/protocols/translation/submit-job.ts';
import { updateConversionBatch } from '../../../src/protocols/translation/update-conversion-batch.ts';
import { updateSucceededItem } from '../../../src/protocols/translation/update-succeeded-item.ts';
import { callUnread } from '../calls.ts';
import type { Bench } from '../scenario.ts';
import { BenchServer } from '../server.ts';
import { type Item, inBatches, itemsInABatch, producers, type Queue, workers } from './queue.ts';

const schemas = 'http://schemas.microsoft.com/office/server/translation/2010/11';
const worker = '11111111-2222-3333-4444-555555555555';
const hour = 3_600_000;
const connections = (count: number) => Array.from({ length: count });

/** The translation protocol as its clients use it: jobs of 1,000 items, a dispatcher that starts batches, workers that finish items one by one. */
export async function granary({ engine, profiles }: Bench): Promise<Queue> {
  await using cleanUp = new AsyncDisposableStack();
  const server = cleanUp.use(await BenchServer.start({ engine, profiles }));
  const database = translation.firstDatabase;
  const adding = await Promise.all(connections(producers).map(() => server.connect(database)));
  const dispatcher = await server.connect(database);
  const finishing = await Promise.all(connections(workers).map(() => server.open(database)));
  for (const client of [...adding, dispatcher, ...finishing]) cleanUp.use(client);
  const disposal = cleanUp.move();
  let lastJob = 0n;
  return {
    name: `Granary on ${engine}`,
    settings: `jobs of ${itemsInABatch} items; proc_GetConversionBatch of ${itemsInABatch}; proc_UpdateSucceededItem an item, ${workers} connections`,
    enqueue: (items) =>
      inBatches(items, (batch, producer) => {
        const client = adding[producer];
        if (client === undefined) throw new Error(`there is no producer ${producer}`);
        return add(client, ++lastJob, batch);
      }),
    async finish(items) {
      const queue = new Dispatched(dispatcher, items);
      await Promise.all(
        finishing.map(async (connection) => {
          for (let item = await queue.next(); item !== undefined; item = await queue.next()) {
            await callUnread(connection, updateSucceededItem, item);
          }
        }),
      );
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

interface ItemName {
  readonly JobId: bigint;
  readonly GroupId: number;
  readonly ItemId: number;
}

/** The items that a dispatcher has started and no worker has taken; it starts more before they run out. */
class Dispatched {
  readonly #client: Client;
  readonly #items: ItemName[] = [];
  #left: number;
  #more: Promise<void> | undefined;

  constructor(client: Client, items: number) {
    this.#client = client;
    this.#left = items;
  }

  async next(): Promise<ItemName | undefined> {
    for (;;) {
      if (this.#items.length < itemsInABatch / 2 && this.#left > 0) this.#more ??= this.#start();
      const item = this.#items.pop();
      if (item !== undefined || this.#more === undefined) return item;
      await this.#more;
    }
  }

  async #start(): Promise<void> {
    const { sets } = await this.#client.call(getConversionBatch, {
      NumberOfConversionsInBatch: itemsInABatch,
      InProgressThreshold: new Date(Date.now() - hour),
    });
    const items = sets.ResultSet0;
    if (items.length === 0) throw new Error('the server has no more items');
    const started = items.map(
      ({ JobId, GroupId, ItemId }) => `<item job="${JobId}" group="${GroupId}" id="${ItemId}" wsi="${worker}" />`,
    );
    await this.#client.call(updateConversionBatch, {
      BatchXml: `<batch xmlns="${schemas}/databaseBatchUpdate"><start>${started.join('')}</start><failed /></batch>`,
    });
    this.#items.push(...items.toReversed());
    this.#left -= items.length;
    this.#more = undefined;
  }
}
