import { procedure } from '../../../../procedure/declare.ts';
import { required } from '../../../../procedure/param.ts';
import { nvarchar } from '../../../../tds/types/index.ts';
import { requestContentStop, requestDeleteCrawl } from '../../crawls/admin/request-crawl.ts';
import { project } from '../../crawls/crawl-status.ts';
import { done } from '../../outcomes.ts';
import { removeContentSource as remove } from '../content-sources.ts';

export const removeContentSource = procedure({
  name: 'RemoveContentSource',
  schema: 'granary',
  section: 'Granary',
  summary: 'Removes a content source: its crawl is to stop, and a delete crawl of its documents is requested.',
  access: 'serial',
  reservedFor: 'databaseAdmin',
  params: { Name: required(nvarchar(256), 'Its name.') },
  outcomes: done,
  async handle(call, { Name }) {
    const contentSourceId = await remove(call.db, Name);
    await requestContentStop(call, contentSourceId);
    await requestDeleteCrawl(call, project.portalContent, contentSourceId);
    return { outcome: 'done' };
  },
});
