import { randomUUID } from 'node:crypto';
import { ruleBroken } from '../../../base/messages/sql-error.ts';
import type { Db } from '../../../engine/db.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { int } from '../../../tds/types/index.ts';
import { componentState } from './component-state.ts';

/** The maximum number of crawl stores of a farm. */
export const mostCrawlStores = 4;

/** The refusal of a second component or store in the Foundation role (3.4.5.1). */
export const oneOfEach = 'A farm of the Foundation role has one component and one database.';

/** Adds a crawl store whose rows are in the database of that name, and returns its ordinal. */
export async function addCrawlStore(db: Db, database: string): Promise<number> {
  const ordinal = await next(db, sql`select max(ordinal) as "last" from crawl_stores`);
  if (ordinal >= mostCrawlStores) throw ruleBroken(`A farm can have at most ${mostCrawlStores} crawl stores.`);
  await db.run(sql`insert into crawl_stores (ordinal, id, name) values (${ordinal}, ${randomUUID()}, ${database})`);
  return ordinal;
}

/** Adds a crawl component that works for a crawl store, ready to take part in crawls, and returns its number. */
export async function addCrawlComponent(db: Db, crawlStore: number): Promise<number> {
  const number = await next(db, sql`select max(number) as "last" from crawl_components`);
  await db.run(sql`
    insert into crawl_components (number, crawl_store, state, desired_state)
    values (${number}, ${crawlStore}, ${componentState.ready}, ${componentState.ready})`);
  return number;
}

/** Adds a property store whose rows are in the database of that name. */
export async function addPropertyStore(db: Db, database: string): Promise<void> {
  await db.run(sql`insert into property_stores (id, name) values (${randomUUID()}, ${database})`);
}

async function next(db: Db, query: Sql): Promise<number> {
  const row = await db.first({ last: { orNull: int } }, query);
  return (row?.last ?? -1) + 1;
}
