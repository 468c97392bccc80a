import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { itemErrors } from '../item-errors.ts';
import type { ItemName } from '../named-item.ts';
import { stopItem } from '../stop-item.ts';

/** Ends items that nobody works on any more and that have no attempts left. */
export async function endSpent(db: Db, now: Date, items: readonly ItemName[]): Promise<void> {
  const { code, text } = itemErrors.workerLost;
  for (const { JobId, GroupId, ItemId } of items) {
    await stopItem(
      db,
      now,
      { JobId, GroupId, ItemId },
      sql`error_code = ${code}, worker = null, last_error = ${code}, last_message = ${text}`,
    );
  }
}
