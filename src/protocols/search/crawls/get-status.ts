import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { crawlStatus, crawlType, isOngoing } from './crawl-status.ts';

/** What the catalog as a whole is asked with. */
const wholeCatalog = -1;

const ongoing = { type: int, status: int };
type Ongoing = { readonly type: number; readonly status: number };

export const getStatus = procedure({
  name: 'proc_MSS_GetStatus',
  section: 'MS-SQLPGAT2 3.1.5.60',
  summary: 'Tells, as return code, the status of a catalog or of the crawl of a content source.',
  access: 'read',
  params: {
    ProjectID: nullable(int, 'The project (2.2.1.1).'),
    ContentSourceID: nullable(int, 'The content source, or -1 for the catalog.'),
  },
  outcomes: { status: { code: int, meaning: 'The status (2.2.1.16 or 2.2.1.17); 0 where nothing is under way.' } },
  async handle({ db }, { ProjectID, ContentSourceID }) {
    const isWhole = ContentSourceID === wholeCatalog;
    const crawls = await db.all(
      ongoing,
      sql`
        select crawl_type as "type", status as "status" from crawls
        where project_id = ${ProjectID} and ${isOngoing} ${isWhole ? sql`` : sql`and content_source_id = ${ContentSourceID}`}
        order by crawl_id desc`,
    );
    return { outcome: 'status', returns: isWhole ? ofCatalog(crawls) : ofContentSource(crawls[0]) };
  },
});

/** What runs, as Search Catalog Status (2.2.1.16) and Content Source Status (2.2.1.17) both say it. */
const running: Readonly<Record<number, number>> = {
  [crawlType.full]: 1,
  [crawlType.incremental]: 6,
  [crawlType.delete]: 10,
};

const ofCatalog = (crawls: readonly Ongoing[]): number => Math.max(0, ...crawls.map(({ type }) => running[type] ?? 0));

function ofContentSource(crawl: Ongoing | undefined): number {
  if (crawl === undefined) return 0;
  if (crawl.status === crawlStatus.started) return running[crawl.type] ?? 0;
  return contentSourceStatus[crawl.status] ?? 0;
}

/** Content Source Status (2.2.1.17) by crawl status, but for crawls that run. */
const contentSourceStatus: Readonly<Record<number, number>> = {
  [crawlStatus.requested]: 12,
  [crawlStatus.initializing]: 12,
  [crawlStatus.resuming]: 11,
  [crawlStatus.pausing]: 9,
  [crawlStatus.paused]: 2,
  [crawlStatus.stopping]: 8,
  [crawlStatus.completing]: 13,
};
