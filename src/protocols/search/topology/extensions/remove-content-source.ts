import { procedure } from '../../../../procedure/declare.ts';
import { required } from '../../../../procedure/param.ts';
import { nvarchar } from '../../../../tds/types/index.ts';
import { requestDeleteCrawl } from '../../crawls/admin/request-crawl.ts';
import { project } from '../../crawls/crawl-status.ts';
import { done } from '../../outcomes.ts';
import { removeContentSource as remove } from '../content-sources.ts';

export const removeContentSource = procedure({
  name: 'RemoveContentSource',
  schema: 'granary',
  section: 'Granary',
  summary: 'Removes a content source, and requests a delete crawl of its documents.',
  access: 'serial',
  reservedFor: 'databaseAdmin',
  params: { Name: required(nvarchar(256), 'Its name.') },
  outcomes: done,
  async handle(call, { Name }) {
    const contentSourceId = await remove(call.db, Name);
    await requestDeleteCrawl(call, project.portalContent, contentSourceId);
    return { outcome: 'done' };
  },
});
