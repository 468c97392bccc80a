import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestClient } from '../../../support/client.ts';
import { type EngineName, forEachEngine } from '../../../support/engines.ts';
import { password } from '../../../support/server.ts';
import { Farm, guid } from '../farm.ts';

const megabyte = 1_048_576;
const file = guid('f');

/** A server in a process of its own. */
class Served implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #clients: TestClient[] = [];

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
  }

  static async start(engine: EngineName): Promise<Served> {
    const child = fork(fileURLToPath(new URL('./server-process.ts', import.meta.url)), [engine]);
    const [{ port }] = await once(child, 'message');
    return new Served(child, port);
  }

  async connect(): Promise<Farm> {
    const client = await TestClient.open({
      server: '127.0.0.1',
      authentication: { type: 'default', options: { userName: 'sa', password } },
      options: {
        port: this.#port,
        database: 'SharePoint_Config',
        encrypt: false,
        requestTimeout: 0,
        packetSize: 32_767,
      },
    });
    this.#clients.push(client);
    return new Farm(client);
  }

  /** The most memory that the process had in use since this was last asked, in megabytes. */
  async mostMemory(): Promise<number> {
    this.#child.send('memory');
    const [{ bytes }] = await once(this.#child, 'message');
    return bytes / megabyte;
  }

  /** The memory of the server when nobody asks anything of it. */
  async idleMemory(): Promise<number> {
    await this.mostMemory();
    return this.mostMemory();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client[Symbol.asyncDispose]();
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}

/** Segment n of a file: no two are alike, and none repeats within a chunk of the store. */
function segment(number: number): Buffer {
  const words = new Uint32Array(megabyte / 4);
  for (let at = 0; at < words.length; at++) words[at] = Math.imul(at + 1, 2_654_435_761) ^ (number * 97);
  return Buffer.from(words.buffer);
}

async function store(farm: Farm, megabytes: number): Promise<string> {
  const hash: Hash = createHash('sha256');
  for (let number = 0; number < megabytes; number++) {
    const bytes = segment(number);
    hash.update(bytes);
    const { status } = await farm.segment(file, bytes, number * megabyte);
    assert.equal(status, 0);
  }
  return hash.digest('hex');
}

const digest = (bytes: Buffer | undefined) => bytes && createHash('sha256').update(bytes).digest('hex');

forEachEngine((engine) => {
  test('MS-WSSCFGD2 4.4: a file of 32 MB goes in and comes out to six at once, and the server never holds it', async () => {
    await using served = await Served.start(engine);
    const farms = await Promise.all(Array.from({ length: 6 }, () => served.connect()));
    const [first] = farms;
    assert.ok(first);
    const idle = await served.idleMemory();
    const stored = await store(first, 32);
    const writing = (await served.mostMemory()) - idle;
    const read = await Promise.all(farms.map(async (farm) => digest(await farm.file(file))));
    const reading = (await served.mostMemory()) - idle;
    assert.deepEqual(new Set(read), new Set([stored]));
    assert.ok(writing < 24, `writing took ${Math.round(writing)} MB of memory`);
    assert.ok(reading < 96, `six readers of 32 MB took ${Math.round(reading)} MB of memory`);
  });

  test('MS-WSSCFGD2 4.4: a file of 1 GB goes in and comes out with memory flat', {
    skip: process.env['GRANARY_TEST_LARGE'] === undefined && 'takes minutes: set GRANARY_TEST_LARGE=1',
  }, async () => {
    await using served = await Served.start(engine);
    const farm = await served.connect();
    const idle = await served.idleMemory();
    const stored = await store(farm, 1024);
    const writing = (await served.mostMemory()) - idle;
    assert.equal(digest(await farm.file(file)), stored);
    const reading = (await served.mostMemory()) - idle;
    assert.ok(writing < 24, `writing took ${Math.round(writing)} MB of memory`);
    assert.ok(reading < 64, `reading took ${Math.round(reading)} MB of memory`);
  });
});
