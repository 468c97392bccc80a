import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { int } from '../../tds/types/index.ts';
import { type CrawlKind, heeding } from './administration.ts';
import { isOver, type Progress, progressOf } from './progress.ts';

/** Seconds of silence after which no component is taken to be at work: they report every five. */
const longestSilence = 20;

/** True while a crawl component is running; without one, crawls make no progress. */
export async function isAttended(admin: Client): Promise<boolean> {
  const [row] = await admin.select(
    { silent: orNull(int) },
    'select datediff(second, max(ReportTime), getutcdate()) as silent from CrawlComponents',
    {},
    { idempotent: true },
  );
  return row !== undefined && row.silent !== null && row.silent <= longestSilence;
}

/** The running crawls of a content source, newest first: one, and delete crawls. */
export async function crawlsUnderWay(admin: Client, source: number): Promise<Progress[]> {
  const crawls = await progressOf(admin, 'ContentSourceID = @source', { source });
  return crawls.filter(({ status, project }) => !isOver(status) && project !== 'Anchors');
}

/** The crawl during which another of its source must not begin: the master would forbid that (stage 102). */
export async function crawlInTheWay(admin: Client, source: number, kind: CrawlKind): Promise<Progress | undefined> {
  if (kind === 'delete') return undefined;
  return (await crawlsUnderWay(admin, source)).find(({ type }) => type !== 'Delete');
}

/** The state of a crawl, and the request to it that nobody has begun. */
export const standsOf = ({ stands, request }: Pick<Progress, 'stands' | 'request'>): string =>
  request === null || request === 'Start' ? stands : `${stands}, asked to ${request.toLowerCase()}`;

/** The requests that a crawl accepts in its state; stage 110 skips delete crawls. */
export function heededBy({ status, type }: Pick<Progress, 'status' | 'type'>): ('pause' | 'resume' | 'stop')[] {
  if (isOver(status)) return [];
  const mayStop = type !== 'Delete' && status !== crawlStatus.stopping;
  return (['pause', 'resume', 'stop'] as const).filter((what) =>
    what === 'stop' ? mayStop : heeding[what] === status,
  );
}
