import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { smallint } from '../../../tds/types/index.ts';
import { removeAllTexts } from '../full-text/remove-texts.ts';
import { done } from '../outcomes.ts';

/** The only catalog there is. */
const theCatalog = 1;

export const resetCatalog = procedure({
  name: 'proc_MSS_ResetCatalog',
  section: 'MS-SQLPGAT2 3.1.5.74',
  summary: 'Empties the metadata index; alert signatures and security descriptors are kept.',
  access: 'write',
  params: { nCatalogId: nullable(smallint, '1.') },
  outcomes: done,
  async handle({ db }, { nCatalogId }) {
    if (nCatalogId !== theCatalog) throw ruleBroken(`There is no catalog ${nCatalogId ?? 'NULL'}.`);
    await db.run(sql`delete from definitions`);
    await db.run(sql`delete from doc_props`);
    await db.run(sql`delete from doc_results`);
    await db.run(sql`delete from doc_sd_ids`);
    await removeAllTexts(db);
    return { outcome: 'done' };
  },
});
