import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestClient } from '../../support/client.ts';
import { type EngineName, forEachEngine } from '../../support/engines.ts';
import { startServer } from '../../support/server.ts';
import { batchUpdate, jobAdd } from './documents.ts';
import { type Protocol, procedureOf, worker } from './fixture.ts';
import type { Named } from './model.ts';
import { translationProtocol, word2Protocol, wordProtocol } from './protocols.ts';

const jobs = Array.from({ length: 10 }, (_, place) => BigInt(place + 1));
const workers = 15;

/** GRANARY_CONCURRENT_ITEMS sets the number on both engines: `npm run test:long` says ten thousand. */
const itemCounts: Record<EngineName, number> = { sqlite: 2000, postgres: 1000 };
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

/** One connection of a farm: calls a protocol's procedures by name, and no call may fail. */
class Member {
  readonly #protocol: Protocol;
  readonly #client: TestClient;

  constructor(protocol: Protocol, client: TestClient) {
    this.#protocol = protocol;
    this.#client = client;
  }

  async #call(name: string, input: Readonly<Record<string, unknown>>) {
    const { status, sets } = await this.#client.call(procedureOf(this.#protocol.kind, name), input);
    assert.equal(status, 0, name);
    return sets[0] ?? [];
  }

  async addJobs(itemsInAJob: number): Promise<void> {
    const { family, jobDefaults } = this.#protocol;
    const items = Array.from({ length: itemsInAJob }, (_, place) => ({
      ItemId: place + 1,
      InputFile: `${place}.docx`,
      OutputFile: `${place}.pdf`,
    }));
    const group = { GroupId: 1, InputRoot: '', OutputRoot: '', MaxAttemptsCount: 1, JobXml: jobAdd(family, items) };
    for (const JobId of jobs) {
      await this.#call('AddJob', { JobId, ...jobDefaults });
      await this.#call('AddGroup', { JobId, ...group });
      await this.#call('SubmitJob', { JobId });
    }
  }

  /** Fetches items and marks them as started until none is left, as the one dispatcher of a farm does. */
  async dispatch(queue: Queue): Promise<void> {
    for (;;) {
      const batch = { NumberOfConversionsInBatch: 100, InProgressThreshold: new Date(0) };
      const items = (await this.#call('GetConversionBatch', batch)).map(
        (row): Named => ({
          JobId: BigInt(String(row['JobId'])),
          GroupId: Number(row['GroupId']),
          ItemId: Number(row['ItemId']),
        }),
      );
      if (items.length === 0) return queue.close();
      const started = items.map((item) => ({ ...item, Worker: worker }));
      await this.#call('UpdateConversionBatch', { BatchXml: batchUpdate(this.#protocol.family, started) });
      queue.put(items);
    }
  }

  /** Finishes items, one in ten as failed, and counts what it did. */
  async work(queue: Queue, done: Map<bigint, { Succeeded: number; Failed: number }>): Promise<void> {
    for (let item = await queue.take(); item; item = await queue.take()) {
      const isFailure = item.ItemId % 10 === 0;
      if (isFailure) await this.#call('UpdateFailedItem', { ...item, NoRetry: true, ErrorCode: 1 });
      else await this.#call('UpdateSucceededItem', { ...item });
      const count = done.get(item.JobId);
      if (count) count[isFailure ? 'Failed' : 'Succeeded'] += 1;
    }
  }

  async status(JobId: bigint): Promise<Status> {
    // The declaration says so: seven numbers and a name.
    return (await this.#call('GetJobStatus', { JobId }))[0] as Status;
  }

  /** Looks at the jobs over and over: at every moment the classes add up and nothing finished becomes unfinished. */
  async watch(total: number, isOver: () => boolean): Promise<number> {
    const finished = new Map<bigint, number>();
    let looks = 0;
    while (!isOver()) {
      for (const JobId of jobs) {
        const { Total, NotStarted, InProgress, Succeeded, Failed } = await this.status(JobId);
        assert.equal(Total, total);
        assert.equal(NotStarted + InProgress + Succeeded + Failed, total, 'the classes add up');
        assert.ok(Succeeded + Failed >= (finished.get(JobId) ?? 0), 'no finished item is lost');
        finished.set(JobId, Succeeded + Failed);
        looks += 1;
      }
    }
    return looks;
  }
}

type Status = Readonly<Record<'Total' | 'NotStarted' | 'InProgress' | 'Succeeded' | 'Failed', number>>;

async function runFarm(engine: EngineName, protocol: Protocol, items: number): Promise<void> {
  await using server = await startServer({ engine, kinds: [protocol.kind] });
  const join = async () => new Member(protocol, await server.connect(protocol.kind.firstDatabase));
  const total = Math.ceil(items / jobs.length);
  const dispatcher = await join();
  await dispatcher.addJobs(total);
  const queue = new Queue();
  const done = new Map(jobs.map((JobId) => [JobId, { Succeeded: 0, Failed: 0 }]));
  let isOver = false;
  const members = await Promise.all(Array.from({ length: workers }, join));
  const reader = await join();
  const reading = reader.watch(total, () => isOver);
  await Promise.all([dispatcher.dispatch(queue), ...members.map((member) => member.work(queue, done))]);
  isOver = true;
  assert.ok((await reading) > 0);
  for (const JobId of jobs) {
    const { NotStarted, InProgress, Succeeded, Failed } = await reader.status(JobId);
    assert.deepEqual(
      { NotStarted, InProgress, Succeeded, Failed },
      { NotStarted: 0, InProgress: 0, ...done.get(JobId) },
    );
    assert.equal(Succeeded + Failed, total);
  }
}

/** The section that describes the procedures of each protocol. */
const sections = [
  [translationProtocol, '3.1.5'],
  [wordProtocol, '3.1.5'],
  [word2Protocol, '3.2.5'],
] as const;

forEachEngine((engine) => {
  const items = itemsOn(engine);
  for (const [protocol, section] of sections) {
    test(`${protocol.name} ${section}: a dispatcher and ${workers} workers finish ${items} items: no call fails, no update is lost`, () =>
      runFarm(engine, protocol, items));
  }
});
