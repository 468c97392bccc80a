import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';

const mappings = { PID: int, mappingorder: int };

export const getMappingsForCrawledPropertiesById = procedure({
  name: 'proc_MSS_GetMappingsForCrawledPropertiesById',
  section: 'MS-SQLPGAT2 3.1.5.41',
  summary: 'Lists the managed properties that a crawled property is mapped to.',
  access: 'read',
  params: { crawledPropertyId: nullable(int, 'The crawled property.') },
  outcomes: { found: { code: 0, meaning: 'The managed properties.', sets: { mappings } } },
  handle({ db }, { crawledPropertyId }) {
    const rows = db.rows(
      mappings,
      sql`
        select pid as "PID", mapping_order as "mappingorder" from property_mappings
        where crawled_property_id = ${crawledPropertyId} order by pid`,
    );
    return { outcome: 'found', sets: { mappings: rows } };
  },
});
