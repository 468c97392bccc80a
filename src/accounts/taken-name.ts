import { fold } from '../base/collation.ts';
import type { Stored } from '../base/stored.ts';
import type { Db } from '../engine/db.ts';
import { sql } from '../engine/sql.ts';

const word: Stored<string> = { fromStore: String };

/** True when a login has the name, or one that the collation takes for the same: `ß` is `ss`, and some characters do not count. */
export async function isTaken(db: Db, name: string): Promise<boolean> {
  const all = await db.all({ name: word }, sql`select name as "name" from logins`);
  return all.some((login) => fold(login.name) === fold(name));
}
