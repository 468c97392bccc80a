import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { datetime } from '../../../tds/types/index.ts';
import { mappingUpdate } from './mapping.ts';

export const getCrawledPropMappingUpdates = procedure({
  name: 'proc_MSS_GetCrawledPropMappingUpdates',
  section: 'MS-SQLPGAT2 3.1.5.24',
  summary: 'Lists the mappings of crawled properties that changed since a time.',
  access: 'read',
  params: { UpDate: nullable(datetime, 'Only those that changed then or later; NULL for any.') },
  outcomes: { found: { code: 0, meaning: 'The mappings.', sets: { mappings: mappingUpdate } } },
  handle({ db }, { UpDate }) {
    const rows = db.rows(
      mappingUpdate,
      sql`
        select pid as "pid", mapping_order as "mappingorder", crawled_property_id as "crawledPropertyid"
        from property_mappings where ${UpDate === null ? sql`1 = 1` : sql`last_modified >= ${UpDate}`}
        order by last_modified, pid, mapping_order`,
    );
    return { outcome: 'found', sets: { mappings: rows } };
  },
});
