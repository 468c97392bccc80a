import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { schemaMapping } from './mapping.ts';

export const getSchemaMappings = procedure({
  name: 'proc_MSS_GetSchemaMappings',
  section: 'MS-SQLPGAT2 3.1.5.54',
  summary: 'Lists all mappings of crawled properties to managed properties.',
  access: 'read',
  params: {},
  outcomes: { found: { code: 0, meaning: 'The mappings.', sets: { mappings: schemaMapping } } },
  handle({ db }) {
    const rows = db.rows(
      schemaMapping,
      sql`
        select pid as "pid", mapping_order as "MappingOrder", crawled_property_id as "CrawledPropertyId"
        from property_mappings`,
    );
    return { outcome: 'found', sets: { mappings: rows } };
  },
});
