import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, required } from '../../../procedure/param.ts';
import { bit, int } from '../../../tds/types/index.ts';

export const setCrawledPropertyIsSampleCacheFull = procedure({
  name: 'proc_MSS_SetCrawledPropertyIsSampleCacheFull',
  section: 'MS-SQLPGAT2 3.1.5.78',
  summary: 'Sets whether enough samples of a crawled property were taken.',
  access: 'write',
  params: {
    CrawledPropId: nullable(int, 'The crawled property.'),
    IsSampleCacheFull: required(bit, '1 when there are enough.'),
    UseDateTrigger: nullable(bit, 'Must be 0.'),
  },
  outcomes: { done: { code: 0, meaning: 'It is noted, if there is such a crawled property.' } },
  async handle({ db }, { CrawledPropId, IsSampleCacheFull, UseDateTrigger }) {
    if (UseDateTrigger === true) throw ruleBroken('@UseDateTrigger must be 0.');
    await db.run(sql`
      update crawled_properties set is_sample_cache_full = ${IsSampleCacheFull} where id = ${CrawledPropId}`);
    return { outcome: 'done' };
  },
});
