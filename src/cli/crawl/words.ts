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

/** What to do if no component is running, as an additional sentence; empty if one is. */
export async function whoWorks(admin: Client): Promise<string> {
  return (await isAttended(admin))
    ? ''
    : ' No crawl component is running: start the free ones with granary crawl run, here or elsewhere.';
}
