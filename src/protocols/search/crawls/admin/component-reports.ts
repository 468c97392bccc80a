import { type Sql, sql } from '../../../../engine/sql.ts';
import { type Stage, stage } from '../../stage.ts';
import { crawlStatus } from '../crawl-status.ts';

/** A component reports its state in a crawl; one that has not joined it changes nothing. */
const report = (summary: string, changes: (now: Date) => Sql): Stage =>
  stage({
    summary,
    access: 'write',
    heeds: ['CrawlID', 'ComponentID'],
    names: ['ComponentID'],
    async run({ db, now }, { CrawlID, ComponentID }) {
      await db.run(sql`
        update crawl_component_status set ${changes(now)}
        where crawl_id = ${CrawlID} and component_id = ${ComponentID}`);
    },
  });

const reportStatus = (summary: string, status: number) => report(summary, () => sql`status = ${status}`);

/** 106. */
export const componentStarted = reportStatus('A component has started to crawl.', crawlStatus.started);
/** 132. */
export const componentResumed = reportStatus('A component has started again.', crawlStatus.started);
/** 122. */
export const componentPaused = reportStatus('A component has paused.', crawlStatus.paused);
/** 112. */
export const componentStopped = reportStatus('A component has stopped.', crawlStatus.stopped);
/** 147. */
export const componentDone = reportStatus('A component is done.', crawlStatus.done);

/** 142. */
export const componentIdle = report('A component is idle.', (now) => sql`idle_since = coalesce(idle_since, ${now})`);
/** 143. */
export const componentBusy = report('A component is working on items.', () => sql`idle_since = null`);
