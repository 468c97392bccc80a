import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from '../../src/client/client.ts';
import { orNull } from '../../src/procedure/declare.ts';
import { addGroup as addTranslations } from '../../src/protocols/translation/add-group.ts';
import { addJob as addTranslation } from '../../src/protocols/translation/add-job.ts';
import { addGroup } from '../../src/protocols/word/add-group.ts';
import { addJob } from '../../src/protocols/word/add-job.ts';
import { submitJob } from '../../src/protocols/word/submit-job.ts';
import { datetime, int, nvarchar } from '../../src/tds/types/index.ts';
import type { EngineName } from '../support/engines.ts';
import { password, startServer, type TestServer } from '../support/server.ts';

/** One document of a job. */
export interface Document {
  readonly name: string;
  readonly content: Uint8Array;
  /** The name of the output. */
  readonly out: string;
}

/** What became of an item. */
export interface Ended {
  readonly name: string;
  readonly error: number | null;
}

const columns = { name: nvarchar('max'), stopped: orNull(datetime), error: orNull(int) };

/** A server with databases of jobs, and folders for documents; all of it gone when disposed. */
export class JobFarm implements AsyncDisposable {
  readonly server: TestServer;
  readonly client: Client;
  /** The folder with the folders in/ and out/. */
  readonly folder: string;
  #jobs = 0n;

  private constructor(server: TestServer, client: Client, folder: string) {
    this.server = server;
    this.client = client;
    this.folder = folder;
  }

  static async start(engine: EngineName): Promise<JobFarm> {
    const folder = await mkdtemp(join(tmpdir(), 'granary-test-work-'));
    await mkdir(join(folder, 'in'));
    await mkdir(join(folder, 'out'));
    const server = await startServer({ engine });
    const options = { host: '127.0.0.1', port: server.port, user: 'sa', password, encryption: 'off' } as const;
    return new JobFarm(server, Client.create({ ...options, database: 'master', poolSize: 30 }), folder);
  }

  root(name: 'in' | 'out'): string {
    return pathToFileURL(`${join(this.folder, name)}/`).href;
  }

  /** Lays documents down in the folder of inputs. */
  async lay(documents: readonly Document[]): Promise<void> {
    for (const { name, content } of documents) {
      const path = join(this.folder, 'in', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
  }

  /** Submits a job for documents that are there. */
  async submit(
    database: string,
    items: readonly Pick<Document, 'name' | 'out'>[],
    { settings = null, attempts = 1, input = this.root('in'), output = this.root('out') }: SubmitOptions = {},
  ): Promise<bigint> {
    const JobId = ++this.#jobs;
    const client = this.client.database(database);
    const isTranslation = database.startsWith('Translation');
    const space = `http://schemas.microsoft.com/office/server/${isTranslation ? 'translation/2010/11' : 'word/2009/08'}`;
    const listed = items.map(
      ({ name, out }, at) => `<item id="${at + 1}" in="${encodeURI(name)}" out="${encodeURI(out)}"/>`,
    );
    const group = {
      JobId,
      GroupId: 1,
      InputRoot: input,
      OutputRoot: output,
      MaxAttemptsCount: attempts,
      JobXml: `<group xmlns="${space}/databaseJobAdd">${listed.join('')}</group>`,
    };
    if (isTranslation) {
      const limits = { ItemCount: items.length, MaxItemsPerDay: 1000, MaxItemsPerPartitionPerDay: 1000 };
      const owner = { UserId: 'a', UserToken: Buffer.of(1), PartitionId: null, Name: null };
      await client.call(addTranslation, { JobId, ...owner, Settings: settings ?? '<settings/>', ...limits });
      await client.call(addTranslations, group);
    } else {
      await client.call(addJob, { JobId, Settings: settings });
      await client.call(addGroup, group);
    }
    await client.call(submitJob, { JobId });
    return JobId;
  }

  /** What became of the items of a job, when all of them have ended. */
  async ended(database: string, job: bigint, seconds = 300): Promise<Ended[]> {
    const late = Date.now() + seconds * 1000;
    for (;;) {
      const text = `select InputFile as name, StopTime as stopped, ErrorCode as error from Items where JobId = ${job} order by ItemId`;
      const items = await this.client.database(database).select(columns, text, {}, { idempotent: true });
      const open = items.filter(({ stopped }) => stopped === null);
      if (open.length === 0) return items.map(({ name, error }) => ({ name: decodeURI(name), error }));
      assert(Date.now() < late, `These are not done: ${open.map(({ name }) => name).join(', ')}`);
      await delay(50);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}

interface SubmitOptions {
  readonly settings?: string | null;
  readonly attempts?: number;
  readonly input?: string;
  readonly output?: string;
}
