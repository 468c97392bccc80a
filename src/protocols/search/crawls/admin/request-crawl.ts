import { type Sql, sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { type Stage, stage } from '../../stage.ts';
import { crawlRequest, crawlStatus, crawlType, project } from '../crawl-status.ts';
import { newCrawl } from './new-crawl.ts';

/** 100. */
export const requestStart = stage({
  summary: 'Requests a crawl of a content source.',
  access: 'serial',
  heeds: ['ProjectID', 'CrawlType', 'ContentSourceID', 'MiscInputData'],
  sets: ['MiscOutputData', 'CrawlStatus', 'CrawlSubStatus'],
  async run(call, { ProjectID, CrawlType, ContentSourceID, MiscInputData }) {
    const id = await newCrawl(call, {
      projectId: ProjectID,
      crawlType: CrawlType,
      contentSourceId: ContentSourceID,
      mainCrawlId: ProjectID === project.anchor ? MiscInputData : 0,
    });
    return { MiscOutputData: id, CrawlStatus: crawlStatus.requested, CrawlSubStatus: 0 };
  },
});

/** Requests a delete crawl of what was noted to be deleted of a content source. */
export async function requestDeleteCrawl(call: Call, projectId: number, contentSourceId: number): Promise<void> {
  await newCrawl(call, { projectId, crawlType: crawlType.delete, contentSourceId, mainCrawlId: 0 });
}

/** 164. */
export const requestDelete = stage({
  summary: 'Requests a delete crawl of a content source.',
  access: 'serial',
  heeds: ['ProjectID', 'ContentSourceID'],
  run: (call, { ProjectID, ContentSourceID }) => requestDeleteCrawl(call, ProjectID, ContentSourceID),
});

/** Records a request to those crawls of a content source that are of a kind. */
async function request({ db }: Call, what: number, contentSourceId: number, of: Sql): Promise<void> {
  await db.run(sql`update crawls set request = ${what} where content_source_id = ${contentSourceId} and ${of}`);
}

const ask = (summary: string, what: number, of: Sql): Stage =>
  stage({
    summary,
    access: 'write',
    heeds: ['ContentSourceID'],
    run: (call, { ContentSourceID }) => request(call, what, ContentSourceID, of),
  });

const mayStop = sql`crawl_type <> ${crawlType.delete} and status not in (5, 11, 12, 13)`;

/** 110. */
export const requestStop = ask(
  'Requests that the crawl of a content source stop, unless it is a delete crawl.',
  crawlRequest.stop,
  mayStop,
);

/** Requests that a content source's crawl stop; anchor crawls, all of which have the content source 1, go on. */
export function requestContentStop(call: Call, contentSourceId: number): Promise<void> {
  return request(call, crawlRequest.stop, contentSourceId, sql`${mayStop} and project_id = ${project.portalContent}`);
}

/** 120. */
export const requestPause = ask(
  'Requests that the crawl of a content source pause.',
  crawlRequest.pause,
  sql`status = ${crawlStatus.started} and request = ${crawlRequest.none}`,
);

/** 130. */
export const requestResume = ask(
  'Requests that the paused crawl of a content source resume.',
  crawlRequest.resume,
  sql`status = ${crawlStatus.paused}`,
);
