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

  /** The most memory that the process has had so far, in megabytes. */
  async mostMemory(): Promise<number> {
    this.#child.send('memory');
    const [{ kilobytes }] = await once(this.#child, 'message');
    return kilobytes / 1024;
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
    const stored = await store(first, 32);
    assert.equal(digest(await first.file(file)), stored);
    const before = await served.mostMemory();
    const read = await Promise.all(farms.map(async (farm) => digest(await farm.file(file))));
    assert.deepEqual(new Set(read), new Set([stored]));
    const grown = (await served.mostMemory()) - before;
    assert.ok(grown < 96, `six times 32 MB took ${Math.round(grown)} MB of memory`);
  });

  test('MS-WSSCFGD2 4.4: a file of 1 GB goes in and comes out with memory flat', {
    skip: process.env['GRANARY_TEST_LARGE'] === undefined && 'takes minutes: set GRANARY_TEST_LARGE=1',
  }, async () => {
    await using served = await Served.start(engine);
    const farm = await served.connect();
    await store(farm, 32);
    await farm.file(file);
    const before = await served.mostMemory();
    const stored = await store(farm, 1024);
    const written = (await served.mostMemory()) - before;
    assert.equal(digest(await farm.file(file)), stored);
    const grown = (await served.mostMemory()) - before;
    assert.ok(grown < 128, `grew by ${Math.round(written)} MB in writing, ${Math.round(grown)} MB in all`);
  });
});
