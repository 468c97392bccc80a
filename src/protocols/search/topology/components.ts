import { ruleBroken } from '../../../base/messages/sql-error.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { int } from '../../../tds/types/index.ts';
import { isDisabled } from './component-state.ts';

/** Adds a query component and returns its number. */
export async function addQueryComponent(db: Db): Promise<number> {
  const added = await db.first(
    { number: int },
    sql`
      insert into query_components (number) select coalesce(max(number), -1) + 1 from query_components
      returning number as "number"`,
  );
  return added?.number ?? 0;
}

/** Sets the state of a crawl component; one that is disabled leaves its crawls and is no longer the master. */
export async function setCrawlComponentState(db: Db, number: number, state: number): Promise<void> {
  const leaves = isDisabled(state);
  const changed = await db.run(sql`
    update crawl_components set state = ${state} ${leaves ? sql`, is_master = 0` : sql``} where number = ${number}`);
  if (changed === 0) throw ruleBroken(`There is no crawl component ${number}.`);
  if (leaves) await db.run(sql`delete from crawl_component_status where component_id = ${number}`);
}

/** Sets whether a query component is offline. */
export async function setQueryComponentOffline(db: Db, number: number, isOffline: boolean): Promise<void> {
  const changed = await db.run(sql`update query_components set is_offline = ${isOffline} where number = ${number}`);
  if (changed === 0) throw ruleBroken(`There is no query component ${number}.`);
}
