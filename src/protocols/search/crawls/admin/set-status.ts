import { type Sql, sql } from '../../../../engine/sql.ts';
import { type Stage, stage } from '../../stage.ts';
import { crawlRequest, crawlStatus, subStatus } from '../crawl-status.ts';
import { changeCrawl } from './change-crawl.ts';

const { none } = crawlRequest;

/** The master advances a crawl regardless of its components. */
const set = (summary: string, changes: (now: Date) => Sql): Stage =>
  stage({
    summary,
    access: 'write',
    heeds: ['CrawlID'],
    async run(call, { CrawlID }) {
      await changeCrawl(call, CrawlID, changes(call.now));
    },
  });

/** 103. */
export const startAddressesAdded = set(
  'The start addresses are queued; the crawl waits for its components.',
  (now) => sql`status = ${crawlStatus.initializing}, sub_status = ${subStatus.initializing.waitForComponents},
    request = ${none}, start_time = ${now}`,
);

/** 105. */
export const forbid = set(
  'The crawl cannot start: none of its start addresses is valid.',
  () => sql`status = ${crawlStatus.forbid}, sub_status = 0, request = ${none}`,
);

/** 150. */
export const completing = set(
  'The crawl is being completed and waits for its components.',
  () => sql`status = ${crawlStatus.completing}, sub_status = ${subStatus.completing.waitForComponents}`,
);

/** 152. */
export const deletesPending = set(
  'Only deletions are left of the crawl.',
  () => sql`sub_status = ${subStatus.completing.deletesPending}`,
);

/** 111. */
export const stopping = set(
  'The crawl stops and waits for its components.',
  () => sql`status = ${crawlStatus.stopping}, sub_status = ${subStatus.stopping.waitForComponents}, request = ${none}`,
);

/** 114. */
export const stopped = set(
  'The crawl has stopped.',
  (now) => sql`status = ${crawlStatus.stopped}, sub_status = 0, end_time = ${now}`,
);

/** 121. */
export const pausing = set('The crawl pauses.', () => sql`status = ${crawlStatus.pausing}, request = ${none}`);

/** 131. */
export const resuming = set('The crawl resumes.', () => sql`status = ${crawlStatus.resuming}, request = ${none}`);
