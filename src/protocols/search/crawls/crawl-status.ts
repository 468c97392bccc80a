import { type Sql, sql } from '../../../engine/sql.ts';

/**
 * The status of a crawl, and of a component in it (2.2.1.4); a requested crawl that has not started, and a component
 * that has joined one, have 0.
 */
export const crawlStatus = {
  requested: 0,
  initializing: 1,
  started: 4,
  forbid: 5,
  resuming: 7,
  pausing: 8,
  paused: 9,
  done: 11,
  stopped: 12,
  stopping: 13,
  completing: 14,
} as const;

/** The step of a crawl within its status (2.2.1.5 to 2.2.1.8). */
export const subStatus = {
  initializing: { addingStartAddress: 1, waitForComponents: 2 },
  started: { crawling: 1, moveUnvisited: 2, deleteUnvisited: 3, waitAllStores: 4 },
  completing: { waitForComponents: 1, completing: 2, deletesPending: 4 },
  stopping: { waitForComponents: 1, completeStop: 2 },
} as const;

/** Requests to a crawl (2.2.1.3). */
export const crawlRequest = { none: 0, start: 1, stop: 2, pause: 3, resume: 4 } as const;

/** What a crawl does (2.2.1.2). */
export const crawlType = { full: 1, incremental: 2, delete: 3 } as const;

/** The projects (2.2.1.1). */
export const project = { portalContent: 1, anchor: 2 } as const;

/** Crawls that have not ended: neither Forbid nor Done nor Stopped. Worded as in the partial index. */
export const isOngoing: Sql = sql`status not in (5, 11, 12)`;
