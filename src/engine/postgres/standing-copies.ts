import { messageOf } from '../fault.ts';
import type { Server } from './server.ts';

/** Copies of Granary that wait for their sender, and how far they have come. */
const waiting = `
  select copy.pid, copy.pid || ' ' || copy.bytes_processed || ' ' || activity.query_start as place
  from pg_stat_progress_copy copy join pg_stat_activity activity on activity.pid = copy.pid
  where copy.datname = current_database() and copy.type = 'PIPE' and activity.wait_event = 'ClientRead'
    and activity.usename = current_user and activity.query like 'copy %from stdin (format binary)'`;

/**
 * Ends copies whose node stands still. PostgreSQL itself has no limit for one that waits for its sender, and no cancel reaches
 * it; but a node that is alive lets no copy wait for long (`copied.ts`), so whoever waits for a lock looks at them twice.
 */
export class StandingCopies {
  readonly #server: Server;
  /** Since when a copy was seen where it is, by `performance.now()`. */
  #seen = new Map<string, number>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Somebody waits for a lock; it looks no more often than needed. */
  look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < this.#server.longestRest / 2) return;
    this.#lookedAt = now;
    this.#end(now).catch((error: unknown) =>
      this.#server.log.warn('PostgreSQL cannot be asked for its copies', { error: messageOf(error) }),
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
        this.#server.log.warn('a bulk load whose node stands still was ended', { milliseconds: now - since });
      }
    });
  }
}
