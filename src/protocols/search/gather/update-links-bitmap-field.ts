import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

export const updateLinksBitmapField = procedure({
  name: 'proc_MSS_UpdateLinksBitmapField',
  aliases: ['proc_MSS_UpdateLinksBitmap'],
  section: 'MS-SQLPGAT2 3.1.5.89',
  summary: 'Adds crawl stores to documents that already have one of them.',
  access: 'write',
  params: { LinksBitmap: nullable(int, 'The crawl stores (2.2.2.2).') },
  outcomes: done,
  async handle({ db }, { LinksBitmap }) {
    const stores = LinksBitmap ?? 0;
    await db.run(sql`
      update crawl_history set links_bitmap = links_bitmap | ${stores}
      where (links_bitmap & ${stores}) <> 0 and (links_bitmap | ${stores}) <> links_bitmap`);
    return { outcome: 'done' };
  },
});
