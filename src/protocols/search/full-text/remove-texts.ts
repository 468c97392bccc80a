import type { Db } from '../../../engine/db.ts';
import { eachEngine, type Fragment, sql } from '../../../engine/sql.ts';

/** Removes the texts of documents together with their index entries. */
export async function removeTexts(db: Db, documents: Fragment): Promise<void> {
  await db.run(sql`delete from doc_texts where doc_id in ${documents}`);
}

/** Removes all texts: the index entries first and at once, since one by one would take long on SQLite. */
export async function removeAllTexts(db: Db): Promise<void> {
  const allWords = eachEngine({
    sqlite: sql`insert into doc_words (doc_words) values ('delete-all')`,
    postgres: sql`delete from doc_words`,
  });
  await db.run(sql`${allWords}`);
  await db.run(sql`delete from doc_texts`);
}
