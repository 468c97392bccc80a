import { type Sql, sql } from '../../../../engine/sql.ts';
import { type Stage, stage } from '../../stage.ts';
import { crawlStatus, subStatus } from '../crawl-status.ts';
import { changeCrawl } from './change-crawl.ts';

const { started, resuming, pausing, paused, done, stopped } = crawlStatus;

/** The master advances a crawl once all of its components have the status that it waits for. */
const whenAllHave = (status: number, summary: string, changes: Sql): Stage =>
  stage({
    summary,
    access: 'write',
    heeds: ['CrawlID'],
    async run(call, { CrawlID }) {
      await changeCrawl(
        call,
        CrawlID,
        changes,
        sql`and not exists (
          select 1 from crawl_component_status where crawl_id = ${CrawlID} and status <> ${status})`,
      );
    },
  });

/** 104. */
export const allStarted = whenAllHave(
  started,
  'Crawling begins once every component has started.',
  // A crawl that is already crawling is unchanged: a repeated call must not undo later steps.
  sql`sub_status = case when status in (${started}, ${resuming}, ${pausing}, ${paused}) then sub_status
      else ${subStatus.started.crawling} end,
    status = ${started}`,
);

/** 133. */
export const allResumed = whenAllHave(
  started,
  'Crawling resumes once every component has started again.',
  sql`status = ${started}`,
);

/** 123. */
export const allPaused = whenAllHave(paused, 'The crawl is paused once every component is.', sql`status = ${paused}`);

/** 146. */
export const allDone = whenAllHave(
  done,
  'Completion begins once every component is done.',
  sql`sub_status = ${subStatus.completing.completing}`,
);

/** 113. */
export const allStopped = whenAllHave(
  stopped,
  'The stop is completed once every component has stopped.',
  sql`sub_status = ${subStatus.stopping.completeStop}`,
);
