import type { Row } from '../../base/stored.ts';
import type { Db } from '../../engine/db.ts';
import { orNull } from '../../procedure/declare.ts';
import { bigint, datetime } from '../../tds/types/index.ts';
import { settleOne } from './hints.ts';

/** What an update that stops an item tells of it. */
export const stoppedItem = { Key: bigint, StartTime: orNull(datetime) };

/** After an item stopped: one that never started was waiting until now. Workers start what they finish, so this is rare. */
export async function afterStop(db: Db, item: Row<typeof stoppedItem> | undefined): Promise<void> {
  if (item !== undefined && item.StartTime === null) await settleOne(db, item.Key);
}
