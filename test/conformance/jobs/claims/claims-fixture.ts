import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import { SqlError } from '../../../../src/base/messages/sql-error.ts';
import { Client } from '../../../../src/client/client.ts';
import { sql } from '../../../../src/engine/sql.ts';
import { jobRules } from '../../../../src/protocols/jobs/rules.ts';
import { translationClaims } from '../../../../src/protocols/translation/claims.ts';
import { wordClaims } from '../../../../src/protocols/word/claims.ts';
import { bigint, int } from '../../../../src/tds/types/index.ts';
import type { EngineName } from '../../../support/engines.ts';
import { startServer, type TestServer } from '../../../support/server.ts';
import { batchUpdate, jobAdd } from '../documents.ts';
import { expireAll, type Protocol, worker as plainWorker, procedureOf } from '../fixture.ts';
import { DriverHost } from '../hosts.ts';
import { translationProtocol } from '../protocols.ts';

export const workers = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
] as const;

/** What a worker holds. */
export interface Held {
  readonly JobId: bigint;
  readonly GroupId: number;
  readonly ItemId: number;
  readonly Lease: bigint;
}

export const nameOf = ({ JobId, ItemId }: Pick<Held, 'JobId' | 'ItemId'>): string => `${JobId}/${ItemId}`;

/** The number of the error that a call fails with. */
export async function numberOf(call: Promise<unknown>): Promise<number | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    assert.ok(error instanceof SqlError, String(error));
    return error.number;
  }
}

interface ClaimOptions {
  readonly LeaseSeconds?: number;
  readonly InProgressThreshold?: Date;
  readonly Name?: string;
  readonly Own?: boolean;
}

/** A server with one protocol's database, clients of it that claim, and calls of the protocol itself. */
export class ClaimsFixture {
  readonly protocol: Protocol;
  readonly clock = new ManualClock();
  readonly #engine: EngineName;
  #server: TestServer | undefined;
  #client: Client | undefined;

  constructor(engine: EngineName, protocol: Protocol) {
    this.protocol = protocol;
    this.#engine = engine;
    before(async () => {
      this.#server = await startServer({ engine, clock: this.clock, kinds: [protocol.kind] });
      this.#client = Client.create({
        server: this.server.granary,
        database: protocol.kind.firstDatabase,
        poolSize: 40,
      });
    });
    after(async () => {
      await this.#client?.close();
      await this.#server?.[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      this.clock.advance(48 * 3_600_000);
      for (const Worker of workers) await this.client.call(wordClaims.endWorker, { Worker });
      await expireAll(protocol.kind, new DriverHost(await this.server.connect(protocol.kind.firstDatabase)));
    });
  }

  get server(): TestServer {
    assert.ok(this.#server);
    return this.#server;
  }

  get client(): Client {
    assert.ok(this.#client);
    return this.#client;
  }

  /** Calls a procedure of the protocol. */
  plain(name: string, input: Readonly<Record<string, unknown>>, client = this.client) {
    // Which procedure it is, only the test knows.
    return client.call(procedureOf(this.protocol.kind, name), input as never);
  }

  async addJob(
    JobId: bigint,
    items: number,
    { attempts = 2, ...more }: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.plain('AddJob', { JobId, ...this.protocol.jobDefaults, ...more });
    await this.addGroup(JobId, 1, items, attempts);
  }

  async addGroup(JobId: bigint, GroupId: number, items: number, attempts: unknown): Promise<void> {
    const ids = Array.from({ length: items }, (_, at) => at + 1);
    await this.plain('AddGroup', {
      JobId,
      GroupId,
      InputRoot: 'in',
      OutputRoot: 'out',
      MaxAttemptsCount: attempts,
      JobXml: jobAdd(
        this.protocol.family,
        ids.map((ItemId) => ({ ItemId, InputFile: `${ItemId}.docx`, OutputFile: `${ItemId}.pdf` })),
      ),
    });
  }

  async submittedJob(JobId: bigint, items: number, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.addJob(JobId, items, more);
    await this.plain('SubmitJob', { JobId });
  }

  /** Claims items, and tells what is needed to work on them. */
  async claimWithGroups(Worker: string, Count: number, more: ClaimOptions = {}) {
    const input = { Worker, Count, ...more };
    const { sets } =
      this.protocol === translationProtocol
        ? await this.client.call(translationClaims.claimItems, input)
        : await this.client.call(wordClaims.claimItems, input);
    return sets;
  }

  /** Claims items. */
  async claim(Worker: string, Count = 1, more: ClaimOptions = {}) {
    return (await this.claimWithGroups(Worker, Count, more)).Items;
  }

  /** What is claimed, when exactly one item must be. */
  async claimOne(Worker: string, LeaseSeconds = 60): Promise<Held & { readonly AttemptsRemaining: number }> {
    const [item, ...others] = await this.claim(Worker, 1, { LeaseSeconds });
    assert.ok(item);
    assert.equal(others.length, 0);
    return item;
  }

  /** Lets leases of a second run out. The clock of a PostgreSQL cannot be moved: there they end a second earlier. */
  async leaseRunsOut(): Promise<void> {
    if (this.#engine === 'sqlite') return this.clock.advance(1001);
    const database = await this.server.granary.engine.open(this.protocol.kind.firstDatabase);
    await database?.write((db) => db.run(sql`update items set leased_until = leased_until - 1001`));
  }

  /** Does what the database does for itself between calls. */
  async upkeep(): Promise<void> {
    const database = await this.server.granary.engine.open(this.protocol.kind.firstDatabase);
    for (const { step } of this.protocol.kind.upkeep ?? []) {
      while (await database?.write((db) => step(db, this.clock.now())));
    }
  }

  /** The items that a lease is kept of. */
  async leased(): Promise<unknown[]> {
    const database = await this.server.granary.engine.open(this.protocol.kind.firstDatabase);
    const query = sql`select item_id as "ItemId" from items where leased_until is not null`;
    return (await database?.read((db) => db.all({ ItemId: int }, query))) ?? [];
  }

  /** The rules of the tables that do not hold. */
  async brokenRules(): Promise<string[]> {
    const database = await this.server.granary.engine.open(this.protocol.kind.firstDatabase);
    const found: string[] = [];
    for (const { rule, broken } of jobRules) {
      const rows = await database?.read((db) =>
        db.all({ Broken: bigint }, sql`select broken as "Broken" from (${broken}) b`),
      );
      if (rows?.length !== 0) found.push(rule);
    }
    return found;
  }

  /** Starts items as a client does that knows the protocol only. */
  async startPlainly(...items: readonly Pick<Held, 'JobId' | 'ItemId'>[]): Promise<void> {
    const started = items.map(({ JobId, ItemId }) => ({ JobId, GroupId: 1, ItemId, Worker: plainWorker }));
    await this.plain('UpdateConversionBatch', { BatchXml: batchUpdate(this.protocol.family, started) });
  }

  async handedOutPlainly(threshold = new Date(0)): Promise<string[]> {
    const { sets } = await this.plain('GetConversionBatch', {
      NumberOfConversionsInBatch: 100,
      InProgressThreshold: threshold,
    });
    return (sets['ResultSet0'] ?? []).map((row) => `${row['JobId']}/${row['ItemId']}`);
  }

  /** Total, NotSubmitted, NotStarted, InProgress, Succeeded, Failed, Canceled. */
  async status(JobId: bigint): Promise<unknown[]> {
    const { sets } = await this.plain('GetJobStatus', { JobId });
    return Object.values(sets['ResultSet0']?.[0] ?? {}).slice(0, 7);
  }

  wait(Milliseconds: number, signal?: AbortSignal) {
    return this.client.call(translationClaims.waitForWork, { Milliseconds }, signal === undefined ? {} : { signal });
  }
}
