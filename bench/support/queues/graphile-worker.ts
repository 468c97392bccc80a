import pg from 'pg';
import { startPostgres } from '../../../test/support/postgres.ts';
import { peer, versionOf } from './peers.ts';
import { type Item, inBatches, type Queue, workers } from './queue.ts';

/** What is used of graphile-worker. */
interface GraphileWorker {
  Logger: new (factory: () => (level: string, message: string) => void) => unknown;
  run(options: object): Promise<{ stop(): Promise<void> }>;
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    addJobs(jobs: readonly { readonly identifier: string; readonly payload: Item }[]): Promise<unknown>;
    release(): Promise<void>;
  }>;
}

/** As its page on performance sets it up: batches out of a local queue, and completions in batches. */
const preset = {
  concurrentJobs: workers,
  maxPoolSize: workers + 1,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};

export async function graphileWorker(): Promise<Queue> {
  const { run, makeWorkerUtils, Logger } = peer('graphile-worker') as GraphileWorker; // a package without types here
  await using cleanUp = new AsyncDisposableStack();
  const server = await startPostgres({ fsync: true });
  cleanUp.defer(() => server.stop());
  const pgPool = new pg.Pool({ connectionString: server.url, max: preset.maxPoolSize });
  // It may hear that the server stops before it has closed its connections.
  pgPool.on('error', () => {});
  cleanUp.defer(() => pgPool.end());
  const utils = await makeWorkerUtils({ pgPool });
  cleanUp.defer(() => utils.release());
  await utils.migrate();
  const watch = new pg.Client({ connectionString: server.url });
  await watch.connect();
  cleanUp.defer(() => watch.end());
  const left = async () => {
    const { rows } = await watch.query('select exists (select from graphile_worker._private_jobs) as any_left');
    return rows[0]?.any_left === true;
  };
  const disposal = cleanUp.move();
  return {
    name: versionOf('graphile-worker'),
    settings: `PostgreSQL with fsync; ${JSON.stringify(preset)}; addJobs of 1,000`,
    enqueue: (items) =>
      inBatches(items, (batch) => utils.addJobs(batch.map((payload) => ({ identifier: 'item', payload })))),
    async finish(items) {
      const { promise: all, resolve } = Promise.withResolvers<void>();
      let done = 0;
      const item = async () => {
        if (++done === items) resolve();
      };
      const runner = await run({
        pgPool,
        noHandleSignals: true,
        preset: { worker: preset },
        taskList: { item },
        logger: new Logger(() => (level, message) => {
          if (level === 'error') console.error(message);
        }),
      });
      await all;
      // A task has run before its completion is on disk.
      while (await left());
      await runner.stop();
    },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}
