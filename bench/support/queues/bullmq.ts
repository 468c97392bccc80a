import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peer, versionOf } from './peers.ts';
import { type Item, inBatches, type Queue, workers } from './queue.ts';

/** What is used of BullMQ. */
interface BullMQ {
  Queue: new (
    name: string,
    options: object,
  ) => {
    addBulk(jobs: readonly { readonly name: string; readonly data: Item }[]): Promise<unknown>;
    waitUntilReady(): Promise<unknown>;
    close(): Promise<void>;
  };
  Worker: new (
    name: string,
    task: () => Promise<void>,
    options: object,
  ) => { on(event: string, listener: (error: Error) => void): void; run(): Promise<void>; close(): Promise<void> };
}

const name = 'items';

/** BullMQ on a Redis that syncs its log with every write; undefined where no Redis is installed. */
export async function bullMQ(): Promise<Queue | undefined> {
  const version = /v=(\S+)/.exec(spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  if (version === undefined) return undefined;
  const { Queue: BullQueue, Worker } = peer('bullmq') as BullMQ; // a package without types here
  await using cleanUp = new AsyncDisposableStack();
  const connection = { host: '127.0.0.1', port: await startRedis(cleanUp), maxRetriesPerRequest: null };
  const queue = new BullQueue(name, { connection, defaultJobOptions: { removeOnComplete: true } });
  await queue.waitUntilReady();
  cleanUp.defer(() => queue.close());
  const disposal = cleanUp.move();
  return {
    name: `${versionOf('bullmq')} on Redis ${version}`,
    settings: `appendonly yes, appendfsync always; addBulk of 1,000; one Worker, concurrency ${workers}; removeOnComplete`,
    enqueue: (items) => inBatches(items, (batch) => queue.addBulk(batch.map((data) => ({ name, data })))),
    async finish(items) {
      const { promise: all, resolve } = Promise.withResolvers<void>();
      let done = 0;
      const worker = new Worker(name, async () => {}, { connection, concurrency: workers });
      worker.on('completed', () => {
        if (++done === items) resolve();
      });
      worker.on('error', (error) => console.error(error.message));
      await all;
      await worker.close();
    },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}

async function startRedis(cleanUp: AsyncDisposableStack): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'granary-bench-redis-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const options = ['--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'yes'];
  const child = spawn('redis-server', [...options, '--appendfsync', 'always'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp.defer(async () => {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('Redis did not start')));
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections')) resolve();
    });
  });
  return port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
