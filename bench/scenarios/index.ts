import type { Scenario } from '../support/scenario.ts';
import { bulkLoad } from './bulk-load.ts';
import { consoles } from './consoles.ts';
import { conversionBatch } from './conversion-batch.ts';
import { crawl } from './crawl.ts';
import { crawlBatch } from './crawl-batch.ts';
import { crawlGrown } from './crawl-grown.ts';
import { crawlMemory } from './crawl-memory.ts';
import { documents } from './documents.ts';
import { expire } from './expire.ts';
import { fileStream } from './file-stream.ts';
import { files } from './files.ts';
import { firstViewShown } from './first-view.ts';
import { flush } from './flush.ts';
import { fullHouse } from './full-house.ts';
import { jobStart } from './job-start.ts';
import { largeDocument } from './large-document.ts';
import { memory } from './memory.ts';
import { newObjects } from './new-objects.ts';
import { propertyStore } from './property-store.ts';
import { queries } from './queries.ts';
import { queues } from './queues.ts';
import { readCalls } from './read-calls.ts';
import { rowsOut } from './rows.ts';
import { singleCall } from './single-call.ts';
import { siteMap } from './site-map.ts';
import { succeededItems } from './succeeded-items.ts';
import { twoNodes } from './two-nodes.ts';
import { webCrawl } from './web-crawl.ts';

/** Every scenario, in the order that they run. */
export const scenarios: readonly Scenario[] = [
  succeededItems,
  singleCall,
  readCalls,
  queues,
  jobStart,
  twoNodes,
  conversionBatch,
  largeDocument,
  fullHouse,
  expire,
  memory,
  consoles,
  firstViewShown,
  siteMap,
  newObjects,
  files,
  fileStream,
  rowsOut,
  bulkLoad,
  crawl,
  crawlGrown,
  flush,
  crawlBatch,
  propertyStore,
  queries,
  documents,
  webCrawl,
  crawlMemory,
];
