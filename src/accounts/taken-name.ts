import type { Stored } from '../base/stored.ts';
import { fold } from '../base/text/collation.ts';
import type { Db } from '../engine/db.ts';
import { sql } from '../engine/sql.ts';

const word: Stored<string> = { fromStore: String };

/**
 * True if a login has this name, or one that the collation considers equal: `ß` equals `ss`, and some characters are
 * ignored.
 */
export async function isTaken(db: Db, name: string): Promise<boolean> {
  const all = await db.all({ name: word }, sql`select name as "name" from logins`);
  return all.some((login) => fold(login.name) === fold(name));
}
