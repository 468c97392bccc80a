import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { crawlStatus, subStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { errorLevel } from '../../protocols/search/gather/commit/levels.ts';
import { datetime, int, nvarchar } from '../../tds/types/index.ts';
import { causeOf } from './fetch/crawl-error.ts';
import { readUnvisited } from './master/unvisited.ts';
import { Farm } from './store/farm.ts';

/** Where a crawl is: what it has done, what is left, and who is awaited. */
export interface Progress {
  readonly crawl: number;
  readonly type: string;
  readonly project: string;
  readonly source: number;
  readonly stands: string;
  readonly since: Date | null;
  readonly waitsFor: string | null;
  /** The components that are awaited. */
  readonly components: string | null;
  readonly started: Date | null;
  readonly ended: Date | null;
  readonly crawled: number;
  readonly notModified: number;
  /** Those of the crawled ones that have a warning. */
  readonly warnings: number;
  readonly errors: number;
  readonly retries: number;
  readonly deleted: number;
  /** Items and links that wait to be crawled. */
  readonly queued: number;
  readonly status: number;
  readonly subStatus: number;
  /** What is asked of it and not yet begun: Start, Stop, Pause, Resume. */
  readonly request: string | null;
  /** True if it waits for permission to delete what it has not reached. */
  readonly isHeld: boolean;
}

const words = orNull(nvarchar(60));
const columns = {
  crawl: int,
  type: words,
  project: words,
  source: int,
  stands: words,
  since: orNull(datetime),
  waitsFor: words,
  components: orNull(nvarchar('max')),
  status: int,
  subStatus: int,
  request: words,
};

const counters = {
  crawl: int,
  started: orNull(datetime),
  ended: orNull(datetime),
  crawled: orNull(int),
  notModified: orNull(int),
  warnings: orNull(int),
  errors: orNull(int),
  retries: orNull(int),
  deleted: orNull(int),
};

/** Where crawls are, the last first: those that `where` (over CrawlID, ContentSourceID, Status) picks. */
export async function progressOf(
  admin: Client,
  where: string,
  given: Record<string, number> = {},
): Promise<Progress[]> {
  const reading = { idempotent: true };
  const places = await admin.select(
    columns,
    `select CrawlID as crawl, Type as type, Project as project, ContentSourceID as source, Stands as stands,
       Since as since, WaitsFor as waitsFor, Components as components, Status as status,
       SubStatus as subStatus, Request as request
     from CrawlProgress where ${where} order by CrawlID desc`,
    given,
    reading,
  );
  const counted = await admin.select(
    counters,
    `select c.CrawlID as crawl, c.StartTime as started, c.EndTime as ended,
       sum(s.SuccessCount + s.WarningCount) as crawled, sum(s.NotModifiedCount) as notModified,
       sum(s.WarningCount) as warnings, sum(s.ErrorCount) as errors, sum(s.RetryCount) as retries, sum(s.DeleteCount) as deleted
     from CrawlStatus c left join CrawlComponentStatus s on s.CrawlID = c.CrawlID
     group by c.CrawlID, c.StartTime, c.EndTime`,
    {},
    reading,
  );
  const held = await heldCrawls(admin, places);
  const queued = places.some(({ status }) => !isOver(status)) ? await queuedItems(admin) : new Map<number, number>();
  return places.map((place) => {
    const counts = counted.find(({ crawl }) => crawl === place.crawl);
    return {
      ...place,
      type: place.type ?? '',
      project: place.project ?? '',
      stands: place.stands ?? '',
      started: counts?.started ?? null,
      ended: counts?.ended ?? null,
      crawled: counts?.crawled ?? 0,
      notModified: counts?.notModified ?? 0,
      warnings: counts?.warnings ?? 0,
      errors: counts?.errors ?? 0,
      retries: counts?.retries ?? 0,
      deleted: counts?.deleted ?? 0,
      queued: queued.get(place.crawl) ?? 0,
      ...(held.has(place.crawl) && { waitsFor: held.get(place.crawl) ?? null }),
      isHeld: held.has(place.crawl),
    };
  });
}

/** What crawls wait for that would delete too much of their sources. */
async function heldCrawls(
  admin: Client,
  crawls: readonly { readonly crawl: number; readonly status: number; readonly subStatus: number }[],
): Promise<Map<number, string>> {
  const held = new Map<number, string>();
  for (const { crawl, status, subStatus: sub } of crawls) {
    if (status !== crawlStatus.started || sub !== subStatus.started.moveUnvisited) continue;
    const found = await readUnvisited({ admin }, crawl);
    if (found?.isHeld !== true) continue;
    held.set(crawl, `somebody to let it delete ${found.unvisited} of ${found.documents} documents, or to stop it`);
  }
  return held;
}

/** True for a crawl that is done, was stopped, or is forbidden. */
export const isOver = (status: number): boolean =>
  status === crawlStatus.done || status === crawlStatus.stopped || status === crawlStatus.forbid;

/** How much is left to do of each crawl in all stores together. */
async function queuedItems(admin: Client): Promise<Map<number, number>> {
  const { stores } = await Farm.of(admin);
  const left = new Map<number, number>();
  for (const { client } of stores) {
    const rows = await client.select(
      { crawl: int, queued: int },
      'select CrawlID as crawl, FreeItems + ItemsInBatches + Links as queued from CrawlWork',
      {},
      { idempotent: true },
    );
    for (const { crawl, queued } of rows) left.set(crawl, (left.get(crawl) ?? 0) + queued);
  }
  return left;
}

/** How many documents of a source have an error now, by its cause. */
export async function errorsByCause(admin: Client, source: number): Promise<Record<string, number>> {
  const causes = await causesOf(admin);
  const counts: Record<string, number> = {};
  for (const { client } of (await Farm.of(admin)).stores) {
    const rows = await client.select(
      { id: int, count: int },
      `select ErrorID as id, count(*) as count from CrawlUrlHistory
       where ContentSourceID = @source and ErrorLevel = 2 and DeletePending = 0 group by ErrorID`,
      { source },
      { idempotent: true },
    );
    for (const { id, count } of rows) {
      const cause = causes.get(id) ?? causeOf(0);
      counts[cause] = (counts[cause] ?? 0) + count;
    }
  }
  return counts;
}

const failed = {
  doc: int,
  url: orNull(nvarchar(4000)),
  level: int,
  error: int,
  description: orNull(nvarchar(1024)),
  times: int,
  since: orNull(datetime),
};

/** A document that could not be crawled, or not all of it. */
interface Failure {
  readonly doc: number;
  readonly url: string | null;
  readonly isWarning: boolean;
  readonly cause: string;
  readonly description: string | null;
  readonly times: number;
  readonly since: Date | null;
}

/** Which documents of those with an error or a warning: those with identifiers above one, those of one cause. */
interface WhichFailures {
  readonly after?: number | undefined;
  readonly cause?: string | undefined;
}

/** Documents of a source that have an error or a warning now, by identifier. */
export async function failuresOf(
  admin: Client,
  source: number,
  most: number,
  { after = 0, cause }: WhichFailures = {},
): Promise<Failure[]> {
  const causes = await causesOf(admin);
  const wanted = cause === undefined ? undefined : [...causes].filter(([, each]) => each === cause).map(([id]) => id);
  if (wanted?.length === 0) return [];
  const ofCause = wanted === undefined ? '' : `and ErrorID in (${wanted.join(', ')})`;
  const rows: Failure[] = [];
  for (const { client } of (await Farm.of(admin)).stores) {
    const found = await client.select(
      failed,
      `select top (@most) DocID as doc, DisplayURL as url, ErrorLevel as level, ErrorID as error, ErrorDesc as description,
         ErrorCount as times, FirstErrorTime as since
       from CrawlUrlHistory
       where ContentSourceID = @source and ErrorLevel > 0 and DeletePending = 0 and DocID > @after ${ofCause}
       order by DocID`,
      { source, most, after },
      { idempotent: true },
    );
    rows.push(
      ...found.map(({ error, level, ...row }) => ({
        ...row,
        isWarning: level === errorLevel.warning,
        cause: causes.get(error) ?? causeOf(0),
      })),
    );
  }
  return rows.sort((one, other) => one.doc - other.doc).slice(0, most);
}

/** What the errors of a farm are called, by their identifiers. */
async function causesOf(admin: Client): Promise<ReadonlyMap<number, string>> {
  const known = await admin.select(
    { id: int, hresult: int },
    'select ErrorID as id, hrResult as hresult from CrawlErrors',
    {},
    { idempotent: true },
  );
  return new Map(known.map(({ id, hresult }) => [id, causeOf(hresult)]));
}
