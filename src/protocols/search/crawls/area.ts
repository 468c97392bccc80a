import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { cleanupWithInterval } from './cleanup-with-interval.ts';
import { crawlAdmin } from './crawl-admin.ts';
import { crawlStoreToJoinAllOngoingCrawls } from './crawl-store-to-join-all-ongoing-crawls.ts';
import { getContentSourceDocCount } from './get-content-source-doc-count.ts';
import { getCrawls } from './get-crawls.ts';
import { getDeleteCrawl } from './get-delete-crawl.ts';
import { getError } from './get-error.ts';
import { getIncompleteCommands } from './get-incomplete-commands.ts';
import { getNextDocIDChunk } from './get-next-doc-id-chunk.ts';
import { getStatus } from './get-status.ts';
import { invalidateAdminDocIDChunks } from './invalidate-admin-doc-id-chunks.ts';
import { crawlRelations } from './relations.ts';
import { removeCrawlStoreFromAllCrawls } from './remove-crawl-store-from-all-crawls.ts';
import { reportCommandCompleted } from './report-command-completed.ts';
import { crawlRules } from './rules.ts';
import { crawlTallies } from './tallies.ts';
import { updateCrawlStatistics } from './update-crawl-statistics.ts';
import { waitForCrawls } from './wait-for-crawls.ts';

/** Crawls as the administration database sees them: their status and stages, who takes part, and requests. */
export const crawls: Area = {
  procedures: [
    cleanupWithInterval,
    crawlAdmin,
    crawlStoreToJoinAllOngoingCrawls,
    getContentSourceDocCount,
    getCrawls,
    getDeleteCrawl,
    getError,
    getIncompleteCommands,
    getNextDocIDChunk,
    getStatus,
    invalidateAdminDocIDChunks,
    removeCrawlStoreFromAllCrawls,
    reportCommandCompleted,
    updateCrawlStatistics,
    waitForCrawls,
  ],
  relations: crawlRelations,
  rules: crawlRules,
  tallies: crawlTallies,
  migrations: migrationsIn('search/crawls', new URL('./migrations/', import.meta.url)),
};
