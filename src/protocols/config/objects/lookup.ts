import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';

const found = { Id: uniqueidentifier };

/** True when a class of that identifier is registered. */
export async function classExists(db: Db, id: string | null): Promise<boolean> {
  const row = await db.first(found, sql`select id as "Id" from classes where id = ${id}`);
  return row !== undefined;
}

/** True when an object of that identifier is stored. */
export async function objectExists(db: Db, id: string | null): Promise<boolean> {
  const row = await db.first(found, sql`select id as "Id" from objects where id = ${id}`);
  return row !== undefined;
}
