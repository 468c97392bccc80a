import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { output, required } from '../../../procedure/param.ts';
import { bit, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { noteChange } from './schema-times.ts';

/** The attributes of a category for a newly discovered property set. */
const defaults = { DiscoverNewProperties: true, MapToContents: true, FullTextQueriable: false, Retrievable: false };

export const addCrawledPropertyCategoryWithDefaults = procedure({
  name: 'proc_MSS_AddCrawledPropertyCategoryWithDefaults',
  section: 'MS-SQLPGAT2 3.1.5.2',
  summary: 'Adds a category of crawled properties for a property set.',
  access: 'write',
  params: {
    CategoryName: output(nvarchar(64), 'Set to the name of the category: the identifier of the property set.'),
    DiscoverNewProperties: output(bit, 'Set to 1.'),
    MapToContents: output(bit, 'Set to 1.'),
    FullTextQueriable: output(bit, 'Set to 0.'),
    Retrievable: output(bit, 'Set to 0.'),
    Propset: required(uniqueidentifier, 'The property set.'),
  },
  outcomes: { done: { code: 0, meaning: 'The property set has a category, added now unless it had one.' } },
  async handle({ db, now }, { Propset }) {
    const { DiscoverNewProperties, MapToContents, FullTextQueriable, Retrievable } = defaults;
    const added = await db.run(sql`
      insert into crawled_property_categories (propset, name, discover_new_properties, map_to_contents,
        full_text_queriable, retrievable)
      values (${Propset}, ${Propset}, ${DiscoverNewProperties}, ${MapToContents}, ${FullTextQueriable}, ${Retrievable})
      on conflict (propset) do nothing`);
    if (added > 0) await noteChange(db, 'category', now);
    return { outcome: 'done', output: { CategoryName: await nameOf(db, Propset), ...defaults } };
  },
});

async function nameOf(db: Db, propset: string): Promise<string> {
  const found = await db.first(
    { name: nvarchar(64) },
    sql`select name as "name" from crawled_property_categories where propset = ${propset}`,
  );
  return found?.name ?? propset;
}
