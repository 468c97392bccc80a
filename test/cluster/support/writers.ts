import { setImmediate as nextTurn } from 'node:timers/promises';
import { SqlError } from '../../../src/base/messages/sql-error.ts';
import type { Database } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { number } from '../../conformance/engine/shop.ts';

/** Callers that write to a database one call after another, and know what was acknowledged. */
export class Writers {
  readonly acknowledged: number[] = [];
  readonly errors: SqlError[] = [];
  readonly #database: Database;
  #next = 1;
  #ended = false;
  readonly #runs: Promise<void>[];
  readonly #kind = {};

  constructor(database: Database, count: number) {
    this.#database = database;
    this.#runs = Array.from({ length: count }, () => this.#run());
  }

  async #run(): Promise<void> {
    while (!this.#ended) {
      const id = this.#next++;
      try {
        // Two rows a call: one without the other would be half of it.
        await this.#database.write(
          async (db) => {
            await db.run(sql`insert into counters (id, n) values (${id}, ${id})`);
            await db.run(sql`insert into counters (id, n) values (${-id}, ${id})`);
          },
          { like: this.#kind },
        );
        this.acknowledged.push(id);
      } catch (error) {
        if (!(error instanceof SqlError)) throw error;
        this.errors.push(error);
      }
      await nextTurn();
    }
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#runs);
  }

  /** What was acknowledged and is not there, and what is there by half. */
  async wrong(): Promise<{ readonly lost: number[]; readonly halves: number[] }> {
    const rows = await this.#database.read((db) => db.all({ id: number }, sql`select id from counters`));
    const there = new Set(rows.map(({ id }) => id));
    return {
      lost: this.acknowledged.filter((id) => !there.has(id)),
      halves: [...there].filter((id) => !there.has(-id)),
    };
  }
}
