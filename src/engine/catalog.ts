import type { Clock } from '../base/clock.ts';
import { sqlError } from '../base/messages/sql-error.ts';
import type { Row } from '../base/stored.ts';
import { momentColumn, numberColumn, textColumn } from './columns.ts';
import type { Database, Db } from './db.ts';
import type { ListedDatabase } from './engine.ts';
import { checkedName, foldedName, systemDatabases, systemName } from './names.ts';
import { sql } from './sql.ts';

const entryShape = {
  id: numberColumn,
  name: textColumn,
  kind: textColumn,
  place: textColumn,
  created: momentColumn,
  ready: numberColumn,
};

/** A database's row in the list. `place` is its file or schema; it is `ready` once that has been created completely. */
export type Entry = Row<typeof entryShape>;

const listedShape = { name: textColumn, kind: textColumn, id: numberColumn, created: momentColumn };

const firstId = systemDatabases.length + 1;

/**
 * The list of databases, stored in the system database. It is read at every use and never cached, because another
 * process may have changed it.
 */
export class Catalog {
  readonly #system: Database;
  readonly #clock: Clock;
  readonly #placeOf: (name: string) => string;

  constructor(system: Database, clock: Clock, placeOf: (name: string) => string) {
    this.#system = system;
    this.#clock = clock;
    this.#placeOf = placeOf;
  }

  async list(): Promise<ListedDatabase[]> {
    // A single statement without a transaction, because views and functions of the catalog query this list often.
    const rows = await this.#system.few(
      listedShape,
      sql`select name, kind, id, created from granary_databases where dropped is null and ready = 1 order by folded`,
    );
    // Each value was read by the column at its position.
    return rows.map(([name, kind, id, created]) => ({ name, kind, id, created }) as ListedDatabase);
  }

  /** Where each database is kept. */
  places(): Promise<{ name: string; place: string }[]> {
    return this.#system.read((db) =>
      db.all(
        { name: textColumn, place: textColumn },
        sql`select name, place from granary_databases where dropped is null and ready = 1 order by folded`,
      ),
    );
  }

  find(name: string): Promise<Entry | undefined> {
    return this.#system.read((db) => entryNamed(db, name));
  }

  /** Reserves a name and a place for a new database; an entry that a crash left incomplete is reused. */
  async reserve(name: string, kind: string): Promise<Entry> {
    checkedName(name);
    if (systemName(name) !== undefined) throw sqlError(1801, name);
    const created = this.#clock.now();
    return this.#system.write(
      async (db) => {
        const there = await entryNamed(db, name);
        if (there !== undefined && (there.ready === 1 || there.kind !== kind)) throw sqlError(1801, name);
        if (there !== undefined) return there;
        const place = await this.#freePlace(db, name);
        await db.run(sql`
          insert into granary_databases (id, name, folded, kind, place, created, ready)
          select coalesce(max(id), ${firstId - 1}) + 1, ${name}, ${foldedName(name)}, ${kind}, ${place}, ${created}, 0
          from granary_databases`);
        const entry = await entryNamed(db, name);
        if (entry === undefined) throw sqlError(911, name);
        return entry;
      },
      { serial: true },
    );
  }

  async markReady(entry: Entry): Promise<void> {
    await this.#system.write((db) => db.run(sql`update granary_databases set ready = 1 where id = ${entry.id}`));
  }

  /**
   * Removes a database from the list, together with what else the caller deletes in the same transaction. Error 3701 if
   * it does not exist, 3708 for one of SQL Server's own.
   */
  async drop(name: string, also: (db: Db, entry: Entry) => Promise<unknown> = async () => {}): Promise<Entry> {
    if (systemName(name) !== undefined) throw sqlError(3708, 'drop', 'database', name, 'database');
    const dropped = this.#clock.now();
    return this.#system.write(
      async (db) => {
        const entry = await entryNamed(db, name);
        if (entry === undefined) throw sqlError(3701, 'drop', 'database', name);
        await db.run(sql`update granary_databases set dropped = ${dropped} where id = ${entry.id}`);
        await also(db, entry);
        return entry;
      },
      { serial: true },
    );
  }

  /**
   * Removes a database from the list and gives its name to another one that is complete, in one transaction. Error 3701
   * if it does not exist.
   */
  replace(name: string, by: Entry): Promise<Entry> {
    return this.drop(name, (db, entry) =>
      db.run(sql`
        update granary_databases set name = ${entry.name}, folded = ${foldedName(entry.name)}, ready = 1 where id = ${by.id}`),
    );
  }

  /** The places of dropped databases: a crash may have left their data behind. */
  async droppedPlaces(): Promise<string[]> {
    const rows = await this.#system.read((db) =>
      db.all({ place: textColumn }, sql`select place from granary_databases where dropped is not null`),
    );
    return rows.map(({ place }) => place);
  }

  /** The place derived from the name or, if a database has or had that place, the same with the next free number. */
  async #freePlace(db: Db, name: string): Promise<string> {
    const first = this.#placeOf(name);
    for (let count = 1; ; count += 1) {
      const place = count === 1 ? first : `${first}-${count}`;
      const taken = await db.first(
        { place: textColumn },
        sql`select place from granary_databases where place = ${place}`,
      );
      if (taken === undefined) return place;
    }
  }
}

function entryNamed(db: Db, name: string): Promise<Entry | undefined> {
  return db.first(
    entryShape,
    sql`select id, name, kind, place, created, ready from granary_databases
        where folded = ${foldedName(name)} and dropped is null`,
  );
}
