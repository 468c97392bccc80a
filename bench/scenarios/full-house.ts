import type { Client } from '../../src/client/client.ts';
import { getConversionBatch } from '../../src/protocols/word/get-conversion-batch.ts';
import { getJobStatus } from '../../src/protocols/word/get-job-status.ts';
import { updateConversionBatch } from '../../src/protocols/word/update-conversion-batch.ts';
import { updateSucceededItem } from '../../src/protocols/word/update-succeeded-item.ts';
import { word2 } from '../../src/protocols/word2/kind.ts';
import { compareSizes } from '../support/compare-sizes.ts';
import { fillJobs } from '../support/fill/jobs.ts';
import { pick } from '../support/load.ts';
import type { Scenario } from '../support/scenario.ts';
import { startSized } from '../support/sized-server.ts';

const itemsInAJob = 1000;
const sizes = { small: 100_000, large: 10_000_000 };
/** Batches that are handed out: the small database has a few more items in line than these take. */
const rounds = 180;
const hour = 3_600_000;
const namespace = 'http://schemas.microsoft.com/office/server/word/2009/08/databaseBatchUpdate';
const worker = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

interface Item {
  readonly JobId: bigint;
  readonly GroupId: number;
  readonly ItemId: number;
}

/** A dispatcher and a worker in one: fetches a batch, marks it as started, finishes items, asks how a job stands. */
class Dispatcher {
  readonly #client: Client;
  readonly #jobs: number;
  #batch: readonly Item[] = [];

  constructor(client: Client, jobs: number) {
    this.#client = client;
    this.#jobs = jobs;
  }

  async fetch(): Promise<void> {
    const { sets } = await this.#client.call(getConversionBatch, {
      NumberOfConversionsInBatch: 100,
      InProgressThreshold: new Date(Date.now() - hour),
    });
    this.#batch = sets.ResultSet0;
    if (this.#batch.length < 100) throw new Error(`only ${this.#batch.length} items are left in line`);
  }

  async start(): Promise<void> {
    const items = this.#batch.map(
      ({ JobId, GroupId, ItemId }) => `<item job="${JobId}" group="${GroupId}" id="${ItemId}" wsi="${worker}"/>`,
    );
    const BatchXml = `<batch xmlns="${namespace}"><start>${items.join('')}</start><failed/></batch>`;
    await this.#client.call(updateConversionBatch, { BatchXml });
  }

  /** Any item at all: its page is as good as never in a cache. */
  async finish(): Promise<void> {
    await this.#client.call(updateSucceededItem, {
      JobId: BigInt(pick(this.#jobs)),
      GroupId: 1,
      ItemId: pick(itemsInAJob),
    });
  }

  async status(): Promise<void> {
    await this.#client.call(getJobStatus, { JobId: BigInt(pick(this.#jobs)), PartitionId: null });
  }
}

export const fullHouse: Scenario = {
  name: 'full-house',
  summary: 'The calls of a farm that has 10,000,000 items in 10,000 jobs, against one that has 100,000 in 100.',
  isLarge: true,
  async run(bench) {
    await using server = await startSized(bench, sizes, {
      kind: word2.name,
      what: 'items',
      fill: (database, items) =>
        fillJobs(database, { jobs: items / itemsInAJob, itemsInAJob, progress: bench.progress }),
    });
    const dispatcher = async (name: keyof typeof sizes) =>
      new Dispatcher(await server.connect(name), sizes[name] / itemsInAJob);
    const [small, large] = [await dispatcher('small'), await dispatcher('large')];
    return await compareSizes(
      [
        { what: 'proc_GetConversionBatch of 100', small: () => small.fetch(), large: () => large.fetch() },
        { what: 'proc_UpdateConversionBatch of 100', small: () => small.start(), large: () => large.start() },
        { what: 'proc_UpdateSucceededItem', small: () => small.finish(), large: () => large.finish() },
        { what: 'proc_GetJobStatus of 1,000 items', small: () => small.status(), large: () => large.status() },
      ],
      rounds,
      1.5,
    );
  },
};
