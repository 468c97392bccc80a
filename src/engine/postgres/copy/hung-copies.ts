import { messageOf } from '../../fault.ts';
import type { Server } from '../connect/server.ts';

/** COPY statements of Granary that wait for their sender, and their progress. */
const waiting = `
  select copy.pid, copy.pid || ' ' || copy.bytes_processed || ' ' || activity.query_start as place
  from pg_stat_progress_copy copy join pg_stat_activity activity on activity.pid = copy.pid
  where copy.datname = current_database() and copy.type = 'PIPE' and activity.wait_event = 'ClientRead'
    and activity.usename = current_user and activity.query like 'copy %from stdin (format binary)'`;

/**
 * Terminates COPY statements whose node hangs. PostgreSQL has no timeout for one that waits for its sender, and a
 * cancel does not reach it. But a live node never lets a COPY wait for long (`copied.ts`), so one that is seen twice at
 * the same place by somebody waiting for a lock is terminated.
 */
export class HungCopies {
  readonly #server: Server;
  /** The time (`performance.now()`) since which each COPY has made no progress. */
  #seen = new Map<string, number>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Must be called when somebody waits for a lock; checks no more often than needed. */
  look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < this.#server.longestRest / 2) return;
    this.#lookedAt = now;
    this.#end(now).catch((error: unknown) =>
      this.#server.log.warn('PostgreSQL cannot be asked for its COPY statements', { error: messageOf(error) }),
    );
  }

  async #end(now: number): Promise<void> {
    await this.#server.once({ settings: {} }, async ({ client }) => {
      const { rows } = await client.query<{ pid: number; place: string }>(waiting);
      this.#seen = new Map(rows.map(({ place }) => [place, this.#seen.get(place) ?? now]));
      for (const { pid, place } of rows) {
        const since = this.#seen.get(place) ?? now;
        if (now - since < this.#server.longestRest) continue;
        await client.query('select pg_terminate_backend($1)', [pid]);
        this.#server.log.warn('a bulk load whose node hangs was terminated', { milliseconds: now - since });
      }
    });
  }
}
