import type { Db } from '../../../../engine/db.ts';
import { list, type Sql, sql } from '../../../../engine/sql.ts';
import { number } from '../values.ts';

/** The interval of document identifiers that a call passes after it was told that none are left. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

const chunk = { first: number, last: number };

/**
 * The document identifiers that a call may assign: those of deleted documents first, then those of the current chunk.
 */
export class Identifiers {
  readonly #free: readonly number[];
  readonly #last: number;
  #next: number;
  #taken = 0;
  readonly #bringsInterval: boolean;
  #tookFromChunk = false;

  private constructor(free: readonly number[], next: number, last: number, bringsInterval: boolean) {
    this.#free = free;
    this.#next = next;
    this.#last = last;
    this.#bringsInterval = bringsInterval;
  }

  /** Reads at most as many as are requested; nothing is changed before `saving`. */
  static async load(db: Db, brought: Interval | undefined, most: number): Promise<Identifiers> {
    const free = await db.all(
      { id: number },
      sql`
        select f.doc_id as "id" from free_doc_ids f
        where not exists (select 1 from crawl_queue q where q.doc_id = f.doc_id)
        order by f.doc_id limit ${most}`,
    );
    const ids = free.map(({ id }) => id);
    if (brought) return new Identifiers(ids, await firstUnused(db, brought), brought.last, true);
    const kept = await db.first(
      chunk,
      sql`select first_doc_id as "first", last_doc_id as "last" from doc_id_chunk where one = 1`,
    );
    return new Identifiers(ids, kept?.first ?? 1, kept?.last ?? 0, false);
  }

  /** The next one; undefined if there is none left. */
  take(): number | undefined {
    if (this.#taken < this.#free.length) return this.#free[this.#taken++];
    if (this.#next > this.#last) return undefined;
    this.#tookFromChunk = true;
    return this.#next++;
  }

  /** The statements that store what was taken. */
  saving(): Sql[] {
    const used = this.#free.slice(0, this.#taken);
    const chunk = sql`
      insert into doc_id_chunk (one, first_doc_id, last_doc_id) values (1, ${this.#next}, ${this.#last})
      on conflict (one) do update set first_doc_id = excluded.first_doc_id, last_doc_id = excluded.last_doc_id`;
    return [
      ...(used.length > 0 ? [sql`delete from free_doc_ids where doc_id in ${list('bigint', used)}`] : []),
      ...(this.#tookFromChunk || this.#bringsInterval ? [chunk] : []),
    ];
  }
}

/**
 * An interval may be assigned again while some of it is in use: identifiers after the greatest one in use are free;
 * those of deleted documents are already among the free ones.
 */
async function firstUnused(db: Db, { first, last }: Interval): Promise<number> {
  const used = await db.first(
    { greatest: { orNull: number } },
    sql`
      select max(doc_id) as "greatest" from (
        select max(doc_id) as doc_id from crawl_history where doc_id between ${first} and ${last}
        union all select max(doc_id) from crawl_queue where doc_id between ${first} and ${last}
        union all select max(doc_id) from free_doc_ids where doc_id between ${first} and ${last}) used`,
  );
  return Math.max(first, (used?.greatest ?? 0) + 1);
}

/**
 * The greatest document identifier in this crawl store; 0 if there is none. That of a deleted document counts until its last item
 * has left the queue, or a caller could be given an interval again in which nothing else is left.
 */
export async function greatestDocId(db: Db): Promise<number> {
  const row = await db.first(
    { id: number },
    sql`
      select coalesce(max(doc_id), 0) as "id" from (
        select max(doc_id) as doc_id from crawl_history union all select max(doc_id) from crawl_queue) used`,
  );
  return row?.id ?? 0;
}

/** True if a caller that requests more identifiers would be given the same interval again (3.1.5.47). */
export async function isHandedOutAgain(db: Db, brought: Interval | undefined): Promise<boolean> {
  if (brought === undefined) return false;
  const greatest = await greatestDocId(db);
  return brought.first <= greatest && greatest < brought.last;
}
