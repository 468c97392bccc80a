import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addGroup } from '../../../src/protocols/translation/add-group.ts';
import { addJob } from '../../../src/protocols/translation/add-job.ts';
import { getConversionBatch } from '../../../src/protocols/translation/get-conversion-batch.ts';
import { getJobStatus } from '../../../src/protocols/translation/get-job-status.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { submitJob } from '../../../src/protocols/translation/submit-job.ts';
import { updateConversionBatch } from '../../../src/protocols/translation/update-conversion-batch.ts';
import { updateFailedItem } from '../../../src/protocols/translation/update-failed-item.ts';
import { updateSucceededItem } from '../../../src/protocols/translation/update-succeeded-item.ts';
import type { TestClient } from '../../support/client.ts';
import { type EngineName, forEachEngine } from '../../support/engines.ts';
import { startServer } from '../../support/server.ts';
import { batchUpdate, jobAdd } from './documents.ts';
import { worker } from './fixture.ts';
import type { Named } from './model.ts';

const family = 'translation/2010/11';
const jobs = Array.from({ length: 10 }, (_, place) => BigInt(place + 1));
const workers = 15;

/** GRANARY_CONCURRENT_ITEMS sets the number on both engines; a PostgreSQL of a test run is slow on two cores. */
const itemCounts: Record<EngineName, number> = { sqlite: 10_000, postgres: 2000 };
const itemsOn = (engine: EngineName) => Number(process.env['GRANARY_CONCURRENT_ITEMS'] ?? itemCounts[engine]);

/** Items on their way from the dispatcher to the workers; who finds none waits for a signal. */
class Queue {
  readonly #items: Named[] = [];
  readonly #waiting: ((item: Named | undefined) => void)[] = [];
  #closed = false;

  put(items: readonly Named[]): void {
    for (const item of items) {
      const next = this.#waiting.shift();
      if (next) next(item);
      else this.#items.push(item);
    }
  }

  close(): void {
    this.#closed = true;
    for (const next of this.#waiting.splice(0)) next(undefined);
  }

  take(): Promise<Named | undefined> {
    const item = this.#items.shift();
    if (item || this.#closed) return Promise.resolve(item);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

async function addJobs(client: TestClient, itemsInAJob: number): Promise<void> {
  const items = Array.from({ length: itemsInAJob }, (_, place) => ({
    ItemId: place + 1,
    InputFile: `${place}.docx`,
    OutputFile: `${place}.pdf`,
  }));
  for (const JobId of jobs) {
    await client.call(addJob, { JobId, UserToken: Buffer.from([1]), Settings: '' });
    const roots = { InputRoot: '', OutputRoot: '' };
    await client.call(addGroup, { JobId, GroupId: 1, ...roots, MaxAttemptsCount: 1, JobXml: jobAdd(family, items) });
    await client.call(submitJob, { JobId });
  }
}

/** Fetches items and marks them as started until none is left, as the one dispatcher of a farm does. */
async function dispatch(client: TestClient, queue: Queue): Promise<void> {
  for (;;) {
    const input = { NumberOfConversionsInBatch: 100, InProgressThreshold: new Date(0) };
    const { sets } = await client.call(getConversionBatch, input);
    const items = (sets[0] ?? []).map(
      (row): Named => ({
        JobId: BigInt(String(row['JobId'])),
        GroupId: Number(row['GroupId']),
        ItemId: Number(row['ItemId']),
      }),
    );
    if (items.length === 0) return queue.close();
    const started = items.map((item) => ({ ...item, Worker: worker }));
    await client.call(updateConversionBatch, { BatchXml: batchUpdate(family, started) });
    queue.put(items);
  }
}

/** Finishes items, one in ten as failed, and counts what it did. */
async function work(client: TestClient, queue: Queue, done: Map<bigint, { Succeeded: number; Failed: number }>) {
  for (let item = await queue.take(); item; item = await queue.take()) {
    const isFailure = item.ItemId % 10 === 0;
    if (isFailure) await client.call(updateFailedItem, { ...item, NoRetry: true, ErrorCode: 1 });
    else await client.call(updateSucceededItem, item);
    const count = done.get(item.JobId);
    if (count) count[isFailure ? 'Failed' : 'Succeeded'] += 1;
  }
}

type Status = Readonly<Record<'Total' | 'NotStarted' | 'InProgress' | 'Succeeded' | 'Failed', number>>;

async function statusOf(client: TestClient, JobId: bigint): Promise<Status> {
  const { sets } = await client.call(getJobStatus, { JobId });
  // The declaration says so: seven numbers and a name.
  return sets[0]?.[0] as Status;
}

/** Looks at the jobs over and over: at every moment the classes add up and nothing finished becomes unfinished. */
async function watch(client: TestClient, total: number, isOver: () => boolean): Promise<number> {
  const finished = new Map<bigint, number>();
  let looks = 0;
  while (!isOver()) {
    for (const JobId of jobs) {
      const { Total, NotStarted, InProgress, Succeeded, Failed } = await statusOf(client, JobId);
      assert.equal(Total, total);
      assert.equal(NotStarted + InProgress + Succeeded + Failed, total, 'the classes add up');
      assert.ok(Succeeded + Failed >= (finished.get(JobId) ?? 0), 'no finished item is lost');
      finished.set(JobId, Succeeded + Failed);
      looks += 1;
    }
  }
  return looks;
}

forEachEngine((engine) => {
  const items = itemsOn(engine);

  test(`MS-TSSPROC 3.1.5: a dispatcher and ${workers} workers finish ${items} items: no call fails, no update is lost`, async () => {
    await using server = await startServer({ engine, kinds: [translation] });
    const connect = () => server.connect(translation.firstDatabase);
    const total = Math.ceil(items / jobs.length);
    await addJobs(await connect(), total);
    const queue = new Queue();
    const done = new Map(jobs.map((JobId) => [JobId, { Succeeded: 0, Failed: 0 }]));
    let isOver = false;
    const clients = await Promise.all(Array.from({ length: workers }, connect));
    const reading = watch(await connect(), total, () => isOver);
    await Promise.all([dispatch(await connect(), queue), ...clients.map((client) => work(client, queue, done))]);
    isOver = true;
    assert.ok((await reading) > 0);
    const reader = await connect();
    for (const JobId of jobs) {
      const { NotStarted, InProgress, Succeeded, Failed } = await statusOf(reader, JobId);
      assert.deepEqual(
        { NotStarted, InProgress, Succeeded, Failed },
        { NotStarted: 0, InProgress: 0, ...done.get(JobId) },
      );
      assert.equal(Succeeded + Failed, total);
    }
  });
});
