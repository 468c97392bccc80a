import type { Client } from '../../client/client.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import type { Progress } from '../../workers/crawl/progress.ts';
import { isAttended } from '../../workers/crawl/under-way.ts';

/** Whom a crawl waits for; the server names nobody for one that is paused. */
export const waitOf = ({
  status,
  waitsFor,
  request,
}: Pick<Progress, 'status' | 'waitsFor' | 'request'>): string | null =>
  status === crawlStatus.paused && request !== 'Resume' ? 'somebody to resume it' : waitsFor;

/** What to do about it where no component is at work, as a sentence behind others; nothing where one is. */
export async function whoWorks(admin: Client): Promise<string> {
  return (await isAttended(admin))
    ? ''
    : ' No crawl component is running: start the free ones with granary crawl run, here or elsewhere.';
}
