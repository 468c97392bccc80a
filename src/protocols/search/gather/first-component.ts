import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { componentState } from '../topology/component-state.ts';

/** The number of the component that the first topology has for this store. */
const firstComponent = 0;

/**
 * Lets the component of the first topology work on the first crawl store; every other one registers itself (stage 93).
 */
export async function addFirstComponent(db: Db): Promise<void> {
  await db.run(sql`
    insert into local_components (component_id, status) values (${firstComponent}, ${componentState.ready})
    on conflict (component_id) do nothing`);
}
