import type { Stage } from '../stage.ts';
import { stagedProcedure } from '../staged-procedure.ts';
import { completeCrawl } from './stages/complete-crawl.ts';
import { completeStop } from './stages/complete-stop.ts';
import { addComponent, disableComponent, recoverComponent } from './stages/component.ts';
import { tellChildren, tellDamage } from './stages/errors.ts';
import { hostStatistics } from './stages/host-statistics.ts';
import { tellWhetherDone, tellWhetherLinksAreGone } from './stages/left.ts';
import { prepareAnchorCrawl } from './stages/prepare-anchor-crawl.ts';
import { queueDeletions } from './stages/queue-deletions.ts';
import { queueIncremental } from './stages/queue-incremental.ts';
import { queueUnvisited } from './stages/queue-unvisited.ts';
import { reset } from './stages/reset.ts';

/** The values of @CrawlStage that section 3.1.5.7 lists. */
type CrawlStage = 90 | 92 | 93 | 107 | 109 | 115 | 141 | 145 | 149 | 151 | 153 | 154 | 155 | 163 | 170;

const stages: Readonly<Record<CrawlStage, Stage>> = {
  90: recoverComponent,
  92: reset,
  93: addComponent,
  107: queueDeletions,
  109: queueIncremental,
  115: completeStop,
  141: tellWhetherDone,
  145: queueUnvisited,
  149: completeCrawl,
  151: tellWhetherLinksAreGone,
  153: tellDamage,
  154: hostStatistics,
  155: tellChildren,
  163: disableComponent,
  170: prepareAnchorCrawl,
};

export const crawl = stagedProcedure({
  name: 'proc_MSS_Crawl',
  section: 'MS-SQLPGAT2 3.1.5.7',
  summary: 'Advances a crawl inside a crawl store: the action depends on @CrawlStage.',
  stages,
  code: 1,
  // The crawl store does not know the status of crawls.
  usualOutputs: async (_, crawlId) => ({ MiscOutputData: crawlId, CrawlStatus: 0, CrawlSubStatus: 0 }),
});
