import { ruleBroken } from '../../../base/messages/sql-error.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { isFoundation } from '../stage.ts';
import { isDisabled } from '../topology/component-state.ts';
import { disabledState, number } from './values.ts';

/** The state of a component in this crawl store, or undefined if it is unknown. */
export async function localState(db: Db, component: number | null): Promise<number | undefined> {
  const row = await db.first(
    { status: number },
    sql`select status as "status" from local_components where component_id = ${component}`,
  );
  return row?.status;
}

/** Refuses a component that is disabled in this crawl store. */
export async function refuseDisabled(db: Db, component: number | null): Promise<void> {
  if ((await localState(db, component)) !== disabledState) return;
  throw ruleBroken(`The crawl component ${component} is disabled.`);
}

/**
 * Refuses a component that is disabled in the farm: only the one database of the Foundation role holds the Crawl
 * Component Set too.
 */
export async function refuseDisabledInFarm(call: Call, component: number): Promise<void> {
  if (!isFoundation(call)) return;
  const row = await call.db.first(
    { state: number },
    sql`select state as "state" from crawl_components where number = ${component}`,
  );
  if (isDisabled(row?.state)) throw ruleBroken(`The crawl component ${component} is disabled.`);
}
