import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { crawlStatus, crawlType, isOngoing } from './crawl-status.ts';

/** The input that means the project as a whole. */
const wholeProject = -1;

const crawl = { type: int, status: int };
type Crawl = { readonly type: number; readonly status: number };

export const getStatus = procedure({
  name: 'proc_MSS_GetStatus',
  section: 'MS-SQLPGAT2 3.1.5.60',
  summary: 'Returns, as its return code, the status of the crawl of a project or of a content source.',
  access: 'read',
  params: {
    ProjectID: nullable(int, 'The project (2.2.1.1).'),
    ContentSourceID: nullable(int, 'The content source, or -1 for whichever crawl the project has.'),
  },
  outcomes: {
    status: { code: int, meaning: 'Crawl Status (2.2.1.4) or Content Source Status (2.2.1.17); 0 without a crawl.' },
  },
  async handle({ db }, { ProjectID, ContentSourceID }) {
    const isWhole = ContentSourceID === wholeProject;
    // Several crawls of a project may be running: the newest of them decides, and an ended one only if there are none.
    const found = await db.first(
      crawl,
      sql`
        select crawl_type as "type", status as "status" from crawls
        where project_id = ${ProjectID}
          ${isWhole ? sql`` : sql`and ${isOngoing} and content_source_id = ${ContentSourceID}`}
        order by case when ${isOngoing} then 0 else 1 end, crawl_id desc limit 1`,
    );
    if (found === undefined) return { outcome: 'status', returns: 0 };
    return { outcome: 'status', returns: isWhole ? ofProject(found) : ofContentSource(found) };
  },
});

/** Crawl Status (2.2.1.4) has no value for a crawl that was only requested: it is about to start. */
const ofProject = ({ status }: Crawl): number => (status === crawlStatus.requested ? crawlStatus.initializing : status);

const ofContentSource = ({ type, status }: Crawl): number =>
  (status === crawlStatus.started ? running[type] : contentSourceStatus[status]) ?? 0;

/** Content Source Status (2.2.1.17) of a running crawl, by its type. */
const running: Readonly<Record<number, number>> = {
  [crawlType.full]: 1,
  [crawlType.incremental]: 6,
  [crawlType.delete]: 10,
};

/** Content Source Status (2.2.1.17) by crawl status, except for running crawls. */
const contentSourceStatus: Readonly<Record<number, number>> = {
  [crawlStatus.requested]: 12,
  [crawlStatus.initializing]: 12,
  [crawlStatus.resuming]: 11,
  [crawlStatus.pausing]: 9,
  [crawlStatus.paused]: 2,
  [crawlStatus.stopping]: 8,
  [crawlStatus.completing]: 13,
};
