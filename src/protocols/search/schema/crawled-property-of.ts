import { identifierOrder } from '../../../base/identifier-order.ts';
import type { Row } from '../../../base/stored.ts';
import { fold } from '../../../base/text/collation.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { bit, int } from '../../../tds/types/index.ts';
import { noteChange } from './schema-times.ts';

const crawled = { id: int, isMappedToContent: bit, isSampleCacheFull: bit };

/** What names a crawled property. */
interface CrawledPropertyName {
  readonly propset: string;
  readonly name: string;
  readonly variantType: number;
  readonly isEnum: boolean;
}

/** Variant types of text, alone and in vectors: VT_BSTR, VT_LPSTR, VT_LPWSTR. */
const textTypes = new Set([8, 30, 31]);
const isText = (variantType: number): boolean => textTypes.has(variantType & 0xfff);

/** Finds a crawled property, or undefined. */
export const findCrawledProperty = (
  db: Db,
  { propset, name, variantType }: CrawledPropertyName,
): Promise<Row<typeof crawled> | undefined> =>
  db.first(
    crawled,
    sql`
      select id as "id", is_mapped_to_content as "isMappedToContent", is_sample_cache_full as "isSampleCacheFull"
      from crawled_properties
      where propset_order = ${identifierOrder(propset)} and name_key = ${fold(name)} and variant_type = ${variantType}`,
  );

/** Adds a crawled property; it is part of the contents if it is text and its category allows that. */
export async function addCrawledProperty(
  db: Db,
  { propset, name, variantType, isEnum }: CrawledPropertyName,
  now: Date,
): Promise<Row<typeof crawled>> {
  const added = await db.first(
    crawled,
    sql`
      insert into crawled_properties (id, propset, propset_order, name, name_key, variant_type, name_is_enum,
        is_mapped_to_content, last_modified)
      select coalesce(max(id), 0) + 1, ${propset}, ${identifierOrder(propset)}, ${name}, ${fold(name)}, ${variantType},
        ${isEnum}, ${isText(variantType)} *
          coalesce((select map_to_contents from crawled_property_categories where propset = ${propset}), 0), ${now}
      from crawled_properties
      returning id as "id", is_mapped_to_content as "isMappedToContent", is_sample_cache_full as "isSampleCacheFull"`,
  );
  if (added === undefined) throw new Error('an insert yielded no row');
  await noteChange(db, 'crawledProperty', now);
  return added;
}
