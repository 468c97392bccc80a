import type { SharedLock, SharedWait } from '../shared-locks.ts';
import { type Conflict, victimsOf, type WaitEdge, worthTelling } from './wait-circles.ts';

type Ask = (text: string) => Promise<Record<string, unknown>[]>;

/** Locks with two keys are of nobody else in a database that is Granary's. */
const allEdges = `
  select pid, classid::text as held, objid::text as wanted, pid = pg_backend_pid() as own
  from pg_locks
  where locktype = 'advisory' and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`;

const keys = ({ held, wanted }: Pick<WaitEdge, 'held' | 'wanted'>): string => `${held | 0}, ${wanted | 0}`;

/**
 * Who waits for what on which node, as advisory locks with two keys: what is held and what is wanted. So all nodes see it in
 * `pg_locks`, it needs no table, and what a node has told goes with its session.
 */
export class ToldWaits {
  readonly #ask: Ask;
  readonly #code: (lock: SharedLock) => number;
  #tail: Promise<unknown> = Promise.resolve();

  /** `ask` runs a statement on the session that holds the node's locks. */
  constructor(ask: Ask, code: (lock: SharedLock) => number) {
    this.#ask = ask;
    this.#code = code;
  }

  /** Tells these waits in place of the last ones, and returns those that have to end. */
  tell(waits: readonly SharedWait[], conflict: Conflict): Promise<SharedWait[]> {
    const told = this.#tail.then(() => this.#tell(waits, conflict));
    this.#tail = told.catch(() => {});
    return told;
  }

  async #tell(waits: readonly SharedWait[], conflict: Conflict): Promise<SharedWait[]> {
    const rows = await this.#ask(allEdges);
    const edges = rows.map(({ pid, held, wanted, own }) => ({
      pid: Number(pid),
      held: Number(held),
      wanted: Number(wanted),
      own: own === true,
    }));
    const told = new Set(edges.filter(({ own }) => own).map(keys));
    const wanted = edges.filter(({ own }) => !own).map((edge) => edge.wanted);
    const now = new Map(
      waits.map((wait) => {
        const held = worthTelling(wait.held.map(this.#code), wanted, conflict);
        return [wait, held.map((each) => keys({ held: each, wanted: this.#code(wait) }))];
      }),
    );
    const tellable = new Set([...now.values()].flat());
    const changes = [
      ...[...tellable.difference(told)].map((pair) => `pg_try_advisory_lock_shared(${pair})`),
      ...[...told.difference(tellable)].map((pair) => `pg_advisory_unlock_shared(${pair})`),
    ];
    if (changes.length > 0) await this.#ask(`select ${changes.join(', ')}`);
    const victims = victimsOf(edges, conflict);
    const mine = new Set(edges.filter((edge) => edge.own && victims.has(edge)).map(keys));
    return waits.filter((wait) => now.get(wait)?.some((pair) => mine.has(pair)));
  }
}
