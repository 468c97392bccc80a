import type { SharedLock, SharedWait } from '../../shared-locks.ts';
import { type Conflict, victimsOf, type WaitEdge, worthPublishing } from './wait-cycles.ts';

type Ask = (text: string) => Promise<Record<string, unknown>[]>;

/** Advisory locks with two keys have no other use in Granary's database. */
const allEdges = `
  select pid, classid::text as held, objid::text as wanted, pid = pg_backend_pid() as own
  from pg_locks
  where locktype = 'advisory' and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`;

const keys = ({ held, wanted }: Pick<WaitEdge, 'held' | 'wanted'>): string => `${held | 0}, ${wanted | 0}`;

/**
 * Publishes who waits for what on which node as advisory locks with two keys: what is held and what is wanted. All
 * nodes see them in `pg_locks`, no table is needed, and what a node has published disappears with its session.
 */
export class PublishedWaits {
  readonly #ask: Ask;
  readonly #code: (lock: SharedLock) => number;
  #tail: Promise<unknown> = Promise.resolve();

  /** `ask` runs a statement on the session that holds the node's locks. */
  constructor(ask: Ask, code: (lock: SharedLock) => number) {
    this.#ask = ask;
    this.#code = code;
  }

  /**
   * Publishes these waits in place of the previous ones, and returns those that must be aborted as deadlock victims.
   */
  publish(waits: readonly SharedWait[], conflict: Conflict): Promise<SharedWait[]> {
    const published = this.#tail.then(() => this.#publish(waits, conflict));
    this.#tail = published.catch(() => {});
    return published;
  }

  async #publish(waits: readonly SharedWait[], conflict: Conflict): Promise<SharedWait[]> {
    const rows = await this.#ask(allEdges);
    const edges = rows.map(({ pid, held, wanted, own }) => ({
      pid: Number(pid),
      held: Number(held),
      wanted: Number(wanted),
      own: own === true,
    }));
    const published = new Set(edges.filter(({ own }) => own).map(keys));
    const wanted = edges.filter(({ own }) => !own).map((edge) => edge.wanted);
    const now = new Map(
      waits.map((wait) => {
        const held = worthPublishing(wait.held.map(this.#code), wanted, conflict);
        return [wait, held.map((each) => keys({ held: each, wanted: this.#code(wait) }))];
      }),
    );
    const wantedEdges = new Set([...now.values()].flat());
    const changes = [
      ...[...wantedEdges.difference(published)].map((pair) => `pg_try_advisory_lock_shared(${pair})`),
      ...[...published.difference(wantedEdges)].map((pair) => `pg_advisory_unlock_shared(${pair})`),
    ];
    if (changes.length > 0) await this.#ask(`select ${changes.join(', ')}`);
    const victims = victimsOf(edges, conflict);
    const mine = new Set(edges.filter((edge) => edge.own && victims.has(edge)).map(keys));
    return waits.filter((wait) => now.get(wait)?.some((pair) => mine.has(pair)));
  }
}
