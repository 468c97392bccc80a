import { until } from '../../robustness/support/until.ts';
import { PostgresProcess } from './postgres-process.ts';

/** A primary and its standby, where every commit waits for both. */
export interface Pair extends AsyncDisposable {
  readonly primary: PostgresProcess;
  readonly standby: PostgresProcess;
  /** The URL that names both. */
  readonly url: string;
}

/** Starts a pair with streaming replication; commits wait for the standby, so that nothing is lost with the primary. */
export async function startPair(): Promise<Pair> {
  const primary = await PostgresProcess.make(['synchronous_standby_names=other', 'fsync=off', 'max_wal_senders=4']);
  const standby = await primary.standby('other');
  const disposal = new AsyncDisposableStack();
  disposal.use(primary);
  disposal.use(standby);
  await primary.start();
  await standby.start();
  await until('the standby follows', async () => {
    const rows = await primary.ask(
      "select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'sync'",
    );
    return rows.length > 0;
  });
  return {
    primary,
    standby,
    url: `postgres://granary@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?connect_timeout=2&tcp_user_timeout=2000`,
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}
