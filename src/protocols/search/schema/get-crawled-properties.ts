import { identifierOrder } from '../../../base/identifier-order.ts';
import { fold } from '../../../base/text/collation.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { type HandlerInput, procedure } from '../../../procedure/declare.ts';
import { nullable, required } from '../../../procedure/param.ts';
import { bit, datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { crawledProperty } from './crawled-property.ts';

const params = {
  OOBOnly: nullable(bit, '1 for those only that the schema began with.'),
  InterestingPropertiesOnly: nullable(bit, 'Ignored.'),
  UpDate: nullable(datetime, 'Only those that changed then or later; NULL to go through them page by page.'),
  LimitRows: required(int, 'The most rows to return; 0 for all.'),
  Propset: nullable(uniqueidentifier, 'The property set of the last row of the page before; NULL to begin.'),
  PropertyName: nullable(nvarchar(440), 'Its name.'),
};

export const getCrawledProperties = procedure({
  name: 'proc_MSS_GetCrawledProperties',
  section: 'MS-SQLPGAT2 3.1.5.23',
  summary: 'Lists crawled properties: those that changed since a time, or one page of all.',
  access: 'read',
  params,
  outcomes: { found: { code: 0, meaning: 'The crawled properties.', sets: { properties: crawledProperty } } },
  handle({ db }, input) {
    const { UpDate, LimitRows } = input;
    const rows = db.rows(
      crawledProperty,
      sql`
        select propset as "Propset", name as "PropertyName", name_is_enum as "PropertyNameIsEnum",
          is_mapped_to_content as "IsMappedToContent", is_sample_cache_full as "IsSampleCacheFull",
          variant_type as "VariantType", id as "CrawledPropertyId", uri as "URI", last_modified as "LastModified"
        from crawled_properties
        where ${UpDate === null ? behind(input) : sql`last_modified >= ${UpDate}`}
          ${input.OOBOnly === true ? sql`and is_out_of_box = 1` : sql``}
        order by ${UpDate === null ? sql`propset_order, name_key, variant_type` : sql`last_modified, id`}
        ${LimitRows === 0 ? sql`` : sql`limit ${Math.max(LimitRows, 0)}`}`,
    );
    return { outcome: 'found', sets: { properties: rows } };
  },
});

/** The condition that a property follows the last one of the page before. */
function behind({ Propset, PropertyName }: HandlerInput<typeof params>): Sql {
  if (Propset === null) return sql`1 = 1`;
  const propset = identifierOrder(Propset);
  if (PropertyName === null) return sql`propset_order >= ${propset}`;
  return sql`(propset_order > ${propset} or (propset_order = ${propset} and name_key > ${fold(PropertyName)}))`;
}
