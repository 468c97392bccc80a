import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { componentType } from '../../status-changes/component-type.ts';

/** Notes which compilation a crawl or query component has completed. */
export async function report(
  db: Db,
  role: number | null,
  component: number | null,
  completed: number | null,
): Promise<void> {
  if (completed === null) return;
  if (role === componentType.crawl) {
    await db.run(sql`
      update crawl_components set scope_compilation_id = ${completed}
      where number = ${component} and scope_compilation_id <> ${completed}`);
  } else if (role === componentType.query) {
    await db.run(sql`
      update query_components set scope_compilation_id = ${completed}
      where number = ${component} and scope_compilation_id <> ${completed}`);
  }
}
