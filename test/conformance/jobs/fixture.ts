import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { ManualClock } from '../../../src/base/clock.ts';
import type { AnyProcedure } from '../../../src/procedure/declare.ts';
import type { Kind } from '../../../src/procedure/kind.ts';
import { roundToDatetime } from '../../../src/tds/types/index.ts';
import type { TestClient } from '../../support/client.ts';
import type { EngineName } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { batchUpdate, type Family, jobAdd } from './documents.ts';
import { DriverHost, type Host } from './hosts.ts';
import type { Expected, ItemClass, Named, Rows } from './model.ts';

export const partitionA = '93572c0a-d9e1-1395-dab3-932eac7ba30c';
export const partitionB = '22222222-2222-4222-8222-222222222222';
export const worker = 'b00ae9a1-0474-474e-b348-f6a8bcc95331';

/** Shows items of every class. */
export const allClasses: Record<ItemClass, boolean> = {
  NotSubmitted: true,
  NotStarted: true,
  InProgress: true,
  Succeeded: true,
  Failed: true,
  Canceled: true,
};

/** What tests need to know of a protocol. */
export interface Protocol {
  readonly name: string;
  readonly kind: Kind;
  readonly family: Family;
  /** What proc_AddJob needs besides JobId and PartitionId. */
  readonly jobDefaults: Readonly<Record<string, unknown>>;
}

/** The procedure of a name, without `proc_`. */
export function procedureOf(kind: Kind, name: string): AnyProcedure {
  const found = kind.procedures.find((procedure) => procedure.name === `proc_${name}`);
  assert.ok(found, `${kind.name} has proc_${name}`);
  return found;
}

/** Deletes every job of a database. */
export async function expireAll(kind: Kind, host: Host): Promise<void> {
  const procedure = procedureOf(kind, 'JobsExpire');
  const input = { ...('AllPartitions' in procedure.params ? { AllPartitions: true } : {}), IncludeActiveJobs: true };
  assert.deepEqual(await host.call(procedure, input), { status: 0 });
}

/** A server with one protocol's database and a driver logged in to it; empty of jobs at the start of each test. */
export class JobsFixture {
  readonly protocol: Protocol;
  readonly clock = new ManualClock();
  #server: TestServer | undefined;
  #client: TestClient | undefined;

  constructor(engine: EngineName, protocol: Protocol) {
    this.protocol = protocol;
    before(async () => {
      this.#server = await startServer({ engine, clock: this.clock, kinds: [protocol.kind] });
      this.#client = await this.connect();
    });
    after(() => this.#server?.[Symbol.asyncDispose]());
    beforeEach(async () => {
      // Two days later nothing of the test before is in a 24-hour window.
      this.clock.advance(48 * 3_600_000);
      await expireAll(protocol.kind, new DriverHost(this.client));
    });
  }

  get client(): TestClient {
    assert.ok(this.#client);
    return this.#client;
  }

  connect(): Promise<TestClient> {
    assert.ok(this.#server);
    return this.#server.connect(this.protocol.kind.firstDatabase);
  }

  get now(): Date {
    return roundToDatetime(this.clock.now());
  }

  /** The present moved by so many milliseconds. */
  at(offset: number): Date {
    return new Date(this.now.getTime() + offset);
  }

  /** Calls a procedure by RPC and tells its status and rows, or the number of its error. */
  call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<Expected> {
    return new DriverHost(this.client).call(procedureOf(this.protocol.kind, name), input);
  }

  async rows(name: string, input: Readonly<Record<string, unknown>>): Promise<Rows> {
    const { rows, error } = await this.call(name, input);
    assert.equal(error, undefined);
    assert.ok(rows);
    return rows;
  }

  async done(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const { status, error } = await this.call(name, input);
    assert.deepEqual({ status, error }, { status: 0, error: undefined }, name);
  }

  addJob(JobId: bigint, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    return this.done('AddJob', { JobId, ...this.protocol.jobDefaults, ...more });
  }

  groupInput(JobId: bigint, GroupId: number, ids: readonly number[]) {
    return {
      JobId,
      GroupId,
      InputRoot: 'http://contoso.com/in',
      OutputRoot: 'http://contoso.com/out',
      MaxAttemptsCount: 2,
      JobXml: this.jobXml(ids),
    };
  }

  jobXml(ids: readonly number[]): string {
    return jobAdd(
      this.protocol.family,
      ids.map((ItemId) => ({ ItemId, InputFile: `${ItemId}.docx`, OutputFile: `${ItemId}.pdf` })),
    );
  }

  addGroup(JobId: bigint, GroupId: number, ids: readonly number[], attempts = 2): Promise<void> {
    return this.done('AddGroup', { ...this.groupInput(JobId, GroupId, ids), MaxAttemptsCount: attempts });
  }

  /** A submitted job with one group, number 1. */
  async submittedJob(
    JobId: bigint,
    ids: readonly number[],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.addJob(JobId, more);
    await this.addGroup(JobId, 1, ids);
    await this.done('SubmitJob', { JobId });
  }

  update(started: readonly Named[], failed: readonly (Named & { ErrorCode: number })[] = []): Promise<Rows> {
    const BatchXml = batchUpdate(
      this.protocol.family,
      started.map((item) => ({ Worker: worker, ...item })),
      failed,
    );
    return this.rows('UpdateConversionBatch', { BatchXml });
  }

  /** Marks items of group 1 as started. */
  async start(JobId: bigint, ...ids: readonly number[]): Promise<void> {
    await this.update(ids.map((ItemId) => ({ JobId, GroupId: 1, ItemId })));
  }

  succeed(JobId: bigint, ItemId: number, GroupId = 1): Promise<void> {
    return this.done('UpdateSucceededItem', { JobId, GroupId, ItemId });
  }

  fail(JobId: bigint, ItemId: number, NoRetry: boolean | null = true, ErrorCode: number | null = 7): Promise<void> {
    return this.done('UpdateFailedItem', { JobId, GroupId: 1, ItemId, NoRetry, ErrorCode });
  }

  batch(count = 100, threshold: Date = this.at(-3_600_000), name = 'GetConversionBatch'): Promise<Rows> {
    return this.rows(name, { NumberOfConversionsInBatch: count, InProgressThreshold: threshold });
  }

  /** `job/group/item` of what a batch hands out. */
  async handedOut(count?: number, threshold?: Date, name?: string): Promise<string[]> {
    return (await this.batch(count, threshold, name)).map(
      (row) => `${row['JobId']}/${row['GroupId']}/${row['ItemId']}`,
    );
  }

  /** Total, NotSubmitted, NotStarted, InProgress, Succeeded, Failed, Canceled; undefined when the job is not described. */
  async status(JobId: bigint, PartitionId: string | null = null): Promise<unknown[] | undefined> {
    const [row] = await this.rows('GetJobStatus', { JobId, PartitionId });
    return row && Object.values(row).slice(0, 7);
  }

  items(JobId: bigint, GroupId = 1, PartitionId: string | null = null, switches = allClasses): Promise<Rows> {
    return this.rows('GetItems', { JobId, GroupId, PartitionId, ...switches });
  }

  async item(JobId: bigint, ItemId: number): Promise<Readonly<Record<string, unknown>> | undefined> {
    return (await this.items(JobId)).find((item) => item['ItemId'] === ItemId);
  }

  /** The ids of the jobs of a partition. */
  async jobIds(more: Readonly<Record<string, unknown>> = {}): Promise<unknown[]> {
    const input = { PartitionId: null, ActiveOnly: false, SubmittedOnly: false, ...more };
    return (await this.rows('GetJobs', input)).map((row) => row['JobId']);
  }
}
