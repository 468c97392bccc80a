import { keptFor } from '../base/kept-for.ts';
import type { Distribution, Measures } from '../base/log/measures.ts';
import type { Engine } from '../engine/engine.ts';
import type { DatabaseFigures, PoolFigures } from '../engine/figures.ts';

/** Milliseconds for which sizes are cached: finding them costs file accesses, or a query. */
const sizesKept = 10_000;

/** Metrics of the engine's databases: all are read on demand, and cost nothing otherwise. */
export function measureEngine(measures: Measures, engine: Engine): void {
  const databaseOf = ({ name }: { readonly name: string }) => ({ database: measures.databases.of(name) });
  const gauge = (name: string, help: string, value: (of: DatabaseFigures) => number) =>
    measures.gauge(name, help, async () =>
      (await engine.figures()).map((of) => ({ labels: databaseOf(of), value: value(of) })),
    );
  const count = (name: string, help: string, value: (of: DatabaseFigures) => number | undefined) =>
    measures.counted(name, help, async () =>
      (await engine.figures()).flatMap((of) => {
        const counted = value(of);
        return counted === undefined ? [] : [{ labels: databaseOf(of), value: counted }];
      }),
    );
  const distribution = (name: string, help: string, kept: (of: DatabaseFigures) => Distribution | undefined) =>
    measures.distributed(name, help, async () =>
      (await engine.figures()).flatMap((of) => {
        const found = kept(of);
        return found === undefined ? [] : [{ labels: databaseOf(of), kept: found }];
      }),
    );

  gauge('granary_writer_queue', 'Calls and transactions that wait for their turn to write.', ({ queue }) => queue);
  gauge('granary_snapshots', 'Snapshots that somebody reads now.', ({ readers }) => readers);
  distribution('granary_group_calls', 'Transactions, by how many calls shared one.', ({ writes }) => writes.groups);
  distribution('granary_sync_seconds', 'Commits put on disk, by how long that took.', ({ writes }) => writes.syncs);
  if (engine.name === 'sqlite') {
    distribution('granary_checkpoint_seconds', 'Checkpoints of logs.', ({ checkpoints }) => checkpoints?.seconds);
    count('granary_checkpoint_failures_total', 'Checkpoints that failed.', ({ checkpoints }) => checkpoints?.failed);
    count(
      'granary_cut_reads_total',
      'Reads that were cut because they kept a log from starting over.',
      ({ checkpoints }) => checkpoints?.cutReads,
    );
  } else measurePools(measures, engine);
  measureSizes(measures, engine);
}

function measureSizes(measures: Measures, engine: Engine): void {
  const sizes = keptFor(sizesKept, () => engine.sizes());
  measures.gauge('granary_database_bytes', 'Room that databases take on disk, their logs among it.', async () =>
    (await sizes()).map(({ name, bytes }) => ({ labels: { database: measures.databases.of(name) }, value: bytes })),
  );
  if (engine.name === 'sqlite') {
    measures.gauge('granary_log_bytes', 'Room that the logs of databases take on disk.', async () =>
      (await sizes()).map(({ name, logBytes }) => ({
        labels: { database: measures.databases.of(name) },
        value: logBytes,
      })),
    );
  }
  measures.gauge('granary_databases', 'Databases by state.', async () => {
    const [all, suspects] = [(await engine.list()).length, engine.suspects().size];
    return [
      { labels: { state: 'online' }, value: all - suspects },
      { labels: { state: 'suspect' }, value: suspects },
    ];
  });
}

function measurePools(measures: Measures, engine: Engine): void {
  const gauge = (name: string, help: string, value: (pool: PoolFigures) => number) =>
    measures.gauge(name, help, async () =>
      (await engine.figures()).flatMap(({ name: database, pools = [] }) =>
        pools.map((pool) => ({
          labels: { database: measures.databases.of(database), pool: pool.pool },
          value: value(pool),
        })),
      ),
    );
  gauge('granary_postgres_connections', 'Connections to PostgreSQL that are open.', ({ open }) => open);
  gauge('granary_postgres_connections_idle', 'Connections that nobody uses.', ({ idle }) => idle);
  gauge('granary_postgres_connections_limit', 'Connections that there may be.', ({ most }) => most);
  gauge('granary_postgres_connections_waiting', 'Who waits for a connection.', ({ waiting }) => waiting);
}
