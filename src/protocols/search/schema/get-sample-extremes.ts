import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';

const samples = { CrawledPropertyId: int, CPCount: int };

export const getSampleExtremes = procedure({
  name: 'proc_MSS_GetSampleExtremes',
  section: 'MS-SQLPGAT2 3.1.5.52',
  summary: 'Lists the crawled properties of which very many or very few samples were taken.',
  access: 'read',
  params: {
    cHighLimit: nullable(int, 'Those with more samples than this.'),
    cLowLimit: nullable(int, 'And those with fewer than this.'),
  },
  outcomes: { found: { code: 0, meaning: 'The crawled properties and their numbers of samples.', sets: { samples } } },
  handle({ db }, { cHighLimit, cLowLimit }) {
    const rows = db.rows(
      samples,
      sql`
        select crawled_property_id as "CrawledPropertyId", sample_count as "CPCount" from crawled_property_samples
        where sample_count > ${cHighLimit} or sample_count < ${cLowLimit} order by crawled_property_id`,
    );
    return { outcome: 'found', sets: { samples: rows } };
  },
});
