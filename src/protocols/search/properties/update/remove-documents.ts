import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { removeTexts } from '../../full-text/remove-texts.ts';
import type { Changes } from './changes.ts';
import { documentsOf } from './document-ids.ts';

/** Removes the data of documents; what is known of their URLs stays. */
export async function removeDocuments(db: Db, { documents }: Changes): Promise<void> {
  if (documents.length === 0) return;
  const gone = documentsOf(documents);
  await db.run(sql`delete from doc_props where doc_id in ${gone}`);
  await db.run(sql`delete from doc_results where doc_id in ${gone}`);
  await db.run(sql`delete from doc_sd_ids where doc_id in ${gone}`);
  await db.run(sql`delete from definitions where doc_id in ${gone}`);
  await removeTexts(db, gone);
}

/** The first step of a repair: the documents that it adds again lose their rows, table by table. */
export async function clearRepaired(db: Db, changes: Changes): Promise<void> {
  const { additions, updates, results, sdIds, definitions } = changes;
  await db.run(sql`delete from doc_props where doc_id in ${documentsOf(additions, updates)}`);
  await db.run(sql`delete from doc_results where doc_id in ${documentsOf(results)}`);
  await db.run(sql`delete from doc_sd_ids where doc_id in ${documentsOf(sdIds)}`);
  await db.run(sql`delete from definitions where doc_id in ${documentsOf(definitions)}`);
}
