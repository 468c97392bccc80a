import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { int } from '../../tds/types/index.ts';
import type { Progress } from '../../workers/crawl/progress.ts';

/** Seconds of silence after which no component is taken to be at work: they report every five. */
const longestSilence = 20;

/** Where a crawl stands, and what is asked of it that nobody has begun. */
export const standsOf = ({ stands, request }: Pick<Progress, 'stands' | 'request'>): string =>
  request === null || request === 'Start' ? stands : `${stands}, asked to ${request.toLowerCase()}`;

/** Whom a crawl waits for; the server names nobody for one that is paused. */
export const waitOf = ({ status, waitsFor }: Pick<Progress, 'status' | 'waitsFor'>): string | null =>
  status === crawlStatus.paused ? 'somebody to resume it' : waitsFor;

/** What to do about it where no component is at work, as a sentence behind others; nothing where one is. */
export async function whoWorks(admin: Client): Promise<string> {
  const [row] = await admin.select(
    { silent: orNull(int) },
    'select datediff(second, max(ReportTime), getutcdate()) as silent from CrawlComponents',
    {},
    { idempotent: true },
  );
  const isThere = row !== undefined && row.silent !== null && row.silent <= longestSilence;
  return isThere
    ? ''
    : ' No crawl component is at work: granary crawl run, here or elsewhere, runs those that are free.';
}
