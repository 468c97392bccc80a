import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, type StoredColumn, stored } from '../../../procedure/relations/relation.ts';
import { bit, datetime, float, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { crawledProperty } from './crawled-property.ts';
import { keptManagedProperty, managedProperty } from './managed-property.ts';

type Managed = { readonly [K in keyof typeof managedProperty]: StoredColumn<(typeof managedProperty)[K]> };

// Both lists have the same keys: each column with its type and where it is stored.
const managedColumns = Object.fromEntries(
  Object.entries(managedProperty).map(([name, type]) => [
    name,
    { type, sql: keptManagedProperty[name as keyof typeof managedProperty] },
  ]),
) as Managed;

/** The metadata schema (MS-SQLPADM2 3.1.1.1). */
export const schemaRelations: readonly Relation[] = [
  relation({
    name: 'ManagedProperties',
    from: sql`managed_properties`,
    primaryKey: ['PID'],
    columns: managedColumns,
  }),
  relation({
    name: 'CrawledProperties',
    from: sql`crawled_properties`,
    primaryKey: ['CrawledPropertyId'],
    columns: {
      CrawledPropertyId: stored(crawledProperty.CrawledPropertyId, 'id'),
      Propset: stored(crawledProperty.Propset, 'propset', { order: 'propset_order' }),
      PropertyName: stored(crawledProperty.PropertyName, 'name', { key: 'name_key' }),
      PropertyNameIsEnum: stored(crawledProperty.PropertyNameIsEnum, 'name_is_enum'),
      VariantType: stored(crawledProperty.VariantType, 'variant_type'),
      IsMappedToContent: stored(crawledProperty.IsMappedToContent, 'is_mapped_to_content'),
      IsSampleCacheFull: stored(crawledProperty.IsSampleCacheFull, 'is_sample_cache_full'),
      URI: stored(crawledProperty.URI, 'uri'),
      LastModified: stored(crawledProperty.LastModified, 'last_modified'),
    },
  }),
  relation({
    name: 'CrawledPropertyCategories',
    from: sql`crawled_property_categories`,
    primaryKey: ['Propset'],
    columns: {
      Propset: stored(uniqueidentifier, 'propset'),
      CategoryName: stored(nvarchar(64), 'name'),
      DiscoverNewProperties: stored(bit, 'discover_new_properties'),
      MapToContents: stored(bit, 'map_to_contents'),
      FullTextQueriable: stored(bit, 'full_text_queriable'),
      Retrievable: stored(bit, 'retrievable'),
    },
  }),
  relation({
    name: 'SchemaMappings',
    from: sql`property_mappings`,
    primaryKey: ['pid', 'CrawledPropertyId'],
    columns: {
      pid: stored(int, 'pid'),
      CrawledPropertyId: stored(int, 'crawled_property_id'),
      MappingOrder: stored(int, 'mapping_order'),
      LastModified: stored(datetime, 'last_modified'),
    },
  }),
  relation({
    name: 'SchemaParameters',
    from: sql`schema_parameters`,
    primaryKey: ['ParamName'],
    columns: {
      ParamName: stored(nvarchar(40), 'name', { key: 'name_key' }),
      IsString: stored(bit, 'is_string'),
      strValue: stored(orNull(nvarchar(256)), 'string_value'),
      fltValue: stored(orNull(float), 'float_value'),
    },
  }),
  relation({
    name: 'SampleCrawledProperties',
    from: sql`crawled_property_samples`,
    primaryKey: ['CrawledPropertyId'],
    changes: { table: 'crawled_property_samples', allow: ['INSERT', 'UPDATE', 'DELETE'] },
    columns: {
      CrawledPropertyId: stored(int, 'crawled_property_id'),
      CPCount: stored(int, 'sample_count'),
    },
  }),
];
