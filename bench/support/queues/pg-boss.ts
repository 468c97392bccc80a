import { startPostgres } from '../../../test/support/postgres.ts';
import { peer, versionOf } from './peers.ts';
import { fetchers, inBatches, itemsFetched, type Queue } from './queue.ts';

/** What is used of pg-boss. */
interface Boss {
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): void;
  createQueue(name: string): Promise<void>;
  insert(queue: string, jobs: readonly { readonly data: object }[]): Promise<unknown>;
  fetch(queue: string, options: { readonly batchSize: number }): Promise<readonly { readonly id: string }[]>;
  complete(queue: string, ids: readonly string[]): Promise<unknown>;
}

const queue = 'items';
export async function pgBoss(): Promise<Queue> {
  const { PgBoss } = peer('pg-boss') as { PgBoss: new (options: object) => Boss }; // a package without types here
  await using cleanUp = new AsyncDisposableStack();
  const server = await startPostgres({ fsync: true });
  cleanUp.defer(() => server.stop());
  const boss = new PgBoss({ connectionString: server.url, supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error.message));
  await boss.start();
  cleanUp.defer(() => boss.stop({ graceful: false }));
  await boss.createQueue(queue);
  const disposal = cleanUp.move();
  return {
    name: versionOf('pg-boss'),
    settings: `PostgreSQL with fsync; insert of 1,000; ${fetchers} times fetch and complete of ${itemsFetched} at once`,
    enqueue: (items) =>
      inBatches(items, (batch) =>
        boss.insert(
          queue,
          batch.map((data) => ({ data })),
        ),
      ),
    async finish(items) {
      let done = 0;
      const work = async () => {
        while (done < items) {
          const jobs = await boss.fetch(queue, { batchSize: itemsFetched });
          if (jobs.length === 0) return;
          await boss.complete(
            queue,
            jobs.map(({ id }) => id),
          );
          done += jobs.length;
        }
      };
      await Promise.all(Array.from({ length: fetchers }, work));
      if (done < items) throw new Error(`pg-boss finished ${done} of ${items} items`);
    },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}
