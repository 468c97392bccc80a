import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { defragGathererIndexes } from '../maintenance.ts';
import { commitTransactions } from './commit-transactions.ts';
import { crawl } from './crawl.ts';
import { addFirstComponent } from './first-component.ts';
import { flushTemp0 } from './flush-temp0.ts';
import { getDocCount } from './get-doc-count.ts';
import { getDocStatus } from './get-doc-status.ts';
import { getNextCrawlBatch } from './get-next-crawl-batch.ts';
import { processCommitted } from './process-committed.ts';
import { gatherRelations } from './relations.ts';
import { gatherRules } from './rules.ts';
import { takeHostTurns } from './take-host-turns.ts';
import { unloadTransactions } from './unload-transactions.ts';
import { updateLinksBitmapField } from './update-links-bitmap-field.ts';

/** A crawl store: the history of URLs, the queue, the links that clients bring, hosts, and what anchor crawls need. */
export const gather: Area = {
  procedures: [
    commitTransactions,
    crawl,
    defragGathererIndexes,
    flushTemp0,
    getDocCount,
    getDocStatus,
    getNextCrawlBatch,
    processCommitted,
    takeHostTurns,
    unloadTransactions,
    updateLinksBitmapField,
  ],
  relations: gatherRelations,
  migrations: migrationsIn('search/gather', new URL('./migrations/', import.meta.url)),
  rules: gatherRules,
  firstContents: addFirstComponent,
};
