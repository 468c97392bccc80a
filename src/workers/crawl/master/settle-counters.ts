import { orNull } from '../../../procedure/declare.ts';
import { updateCrawlStatistics } from '../../../protocols/search/crawls/update-crawl-statistics.ts';
import { errorLevel } from '../../../protocols/search/gather/commit/levels.ts';
import { flag, notModifiedError } from '../../../protocols/search/gather/values.ts';
import { int } from '../../../tds/types/index.ts';
import type { CrawlStore, Farm } from '../store/farm.ts';
import type { ListedCrawl } from './listed-crawl.ts';

/** Documents that a crawl has processed, by outcome. */
interface Tally {
  crawled: number;
  warnings: number;
  errors: number;
  notModified: number;
  deleted: number;
}

/**
 * Counts what a crawl has committed and nobody has counted. Components count after they have committed, in another
 * database; one that is killed in between never does, and stage 162 discards all counts of a dead one.
 */
export async function settleCounters(farm: Farm, crawl: ListedCrawl): Promise<void> {
  const committed: Tally = { crawled: 0, warnings: 0, errors: 0, notModified: 0, deleted: 0 };
  for (const store of farm.stores) await addCommitted(store, crawl, committed);
  const [counted] = await farm.admin.select(
    {
      component: orNull(int),
      crawled: orNull(int),
      warnings: orNull(int),
      errors: orNull(int),
      notModified: orNull(int),
      deleted: orNull(int),
    },
    `select min(ComponentID) as component, sum(SuccessCount + WarningCount) as crawled, sum(WarningCount) as warnings,
       sum(ErrorCount) as errors, sum(NotModifiedCount) as notModified, sum(DeleteCount) as deleted
     from CrawlComponentStatus where CrawlID = @crawl`,
    { crawl: crawl.CrawlID },
    { idempotent: true },
  );
  const missing = (what: keyof Tally, most = Number.POSITIVE_INFINITY) =>
    Math.min(most, Math.max(0, committed[what] - (counted?.[what] ?? 0)));
  const crawled = missing('crawled');
  const errors = missing('errors');
  const deleted = missing('deleted');
  // The component with the smallest number is credited for those that did not count.
  if (counted?.component == null || crawled + errors + deleted === 0) return;
  const warnings = missing('warnings', crawled);
  await farm.admin.call(updateCrawlStatistics, {
    ComponentID: counted.component,
    CrawlID: crawl.CrawlID,
    SuccessCount: crawled - warnings,
    WarningCount: warnings,
    ErrorCount: errors,
    DeleteCount: deleted,
    NotModifiedCount: missing('notModified', crawled),
    SecurityOnlyCount: 0,
    SecurityOnlyErrorCount: 0,
    LevelHighErrorCount: 0,
    RetryCount: 0,
  });
}

async function addCommitted(store: CrawlStore, crawl: ListedCrawl, tally: Tally): Promise<void> {
  await addCrawled(store, crawl, tally);
  const [deletions] = await store.client.select(
    { documents: int },
    'select Documents as documents from CrawlDeletions where CrawlID = @crawl',
    { crawl: crawl.CrawlID },
    { idempotent: true },
  );
  tally.deleted += deletions?.documents ?? 0;
}

async function addCrawled(
  { client }: CrawlStore,
  { CrawlID, ContentSourceID }: ListedCrawl,
  tally: Tally,
): Promise<void> {
  const groups = await client.select(
    { error: int, level: int, flags: int, documents: int },
    `select ErrorID as error, ErrorLevel as level, TransactionFlags as flags, count(*) as documents
     from CrawlUrlHistory where ContentSourceID = @source and CommitCrawlID = @crawl
     group by ErrorID, ErrorLevel, TransactionFlags`,
    { source: ContentSourceID, crawl: CrawlID },
    { idempotent: true },
  );
  for (const { error, level, flags, documents } of groups) {
    const isNotModified = error === notModifiedError.id;
    // proc_MSS_FlushTemp0 recognised these files as unmodified by their times: no component visited them.
    if (isNotModified && (flags & flag.foundByTimestamp) !== 0) continue;
    if (level === errorLevel.error) tally.errors += documents;
    else tally.crawled += documents;
    if (level === errorLevel.warning) tally.warnings += documents;
    if (isNotModified) tally.notModified += documents;
  }
}
