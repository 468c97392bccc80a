import { type Sql, sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { datetime, int, nvarchar } from '../../../tds/types/index.ts';
import { crawlRequest, crawlStatus, crawlType, project, subStatus } from './crawl-status.ts';
import { hasLoneStore } from './lone-store.ts';

/** What a crawl waits for: the stage of proc_MSS_CrawlAdmin that has to be called, by whom and why. */
interface Wait {
  readonly stage: number;
  readonly for: string;
}

/**
 * The possible positions of a crawl, in words, and what it waits for there: first components of stores without any,
 * since no other is idle while those have work left, then components that lag, then the master.
 */
interface Place {
  readonly status: number;
  readonly subStatus?: number;
  readonly words: string;
  readonly lagging?: { readonly which: Sql } & Wait;
  /** What it waits for while a store has no participating component. */
  readonly lone?: Wait;
  readonly master?: Wait;
}

const lacks = (status: number): Sql => sql`s.status <> ${status}`;
const isBusy = sql`s.idle_since is null`;
const lone: Wait = { stage: 94, for: 'a component of each store to be ready' };

const places: readonly Place[] = [
  { status: crawlStatus.requested, words: 'Requested', master: { stage: 102, for: 'the master to begin it' } },
  {
    status: crawlStatus.initializing,
    subStatus: subStatus.initializing.addingStartAddress,
    words: 'Adding start addresses',
    master: { stage: 103, for: 'the master to add the start addresses' },
  },
  {
    status: crawlStatus.initializing,
    subStatus: subStatus.initializing.waitForComponents,
    words: 'Waiting for crawl components',
    lagging: { which: lacks(crawlStatus.started), stage: 106, for: 'components to start' },
    master: { stage: 104, for: 'the master to notice that all components have started' },
  },
  {
    status: crawlStatus.started,
    subStatus: subStatus.started.crawling,
    words: 'Crawling',
    lagging: { which: isBusy, stage: 142, for: 'components to run out of items' },
    lone,
    master: { stage: 140, for: 'the master to notice that all components are idle' },
  },
  {
    status: crawlStatus.started,
    subStatus: subStatus.started.moveUnvisited,
    words: 'Moving unvisited items to the queue',
    master: { stage: 144, for: 'the master to queue what was not visited' },
  },
  {
    status: crawlStatus.started,
    subStatus: subStatus.started.deleteUnvisited,
    words: 'Deleting unvisited items',
    lagging: { which: isBusy, stage: 142, for: 'components to run out of items' },
    lone,
    master: { stage: 140, for: 'the master to notice that all components are idle' },
  },
  {
    status: crawlStatus.started,
    subStatus: subStatus.started.waitAllStores,
    words: 'Waiting for all crawl stores',
    master: { stage: 150, for: 'the master to notice that no links are left' },
  },
  {
    status: crawlStatus.pausing,
    words: 'Pausing',
    lagging: { which: lacks(crawlStatus.paused), stage: 122, for: 'components to pause' },
    master: { stage: 123, for: 'the master to notice that all components have paused' },
  },
  { status: crawlStatus.paused, words: 'Paused' },
  {
    status: crawlStatus.resuming,
    words: 'Resuming',
    lagging: { which: lacks(crawlStatus.started), stage: 132, for: 'components to start again' },
    master: { stage: 133, for: 'the master to notice that all components have started' },
  },
  {
    status: crawlStatus.completing,
    subStatus: subStatus.completing.waitForComponents,
    words: 'Completing, waiting for crawl components',
    lagging: { which: lacks(crawlStatus.done), stage: 147, for: 'components to be done' },
    master: { stage: 146, for: 'the master to notice that all components are done' },
  },
  {
    status: crawlStatus.completing,
    subStatus: subStatus.completing.completing,
    words: 'Completing',
    master: { stage: 152, for: 'the master to complete it in all stores' },
  },
  {
    status: crawlStatus.completing,
    subStatus: subStatus.completing.deletesPending,
    words: 'Completing, deletes pending',
    master: { stage: 148, for: 'the master to end it' },
  },
  {
    status: crawlStatus.stopping,
    subStatus: subStatus.stopping.waitForComponents,
    words: 'Stopping, waiting for crawl components',
    lagging: { which: lacks(crawlStatus.stopped), stage: 112, for: 'components to stop' },
    master: { stage: 113, for: 'the master to notice that all components have stopped' },
  },
  {
    status: crawlStatus.stopping,
    subStatus: subStatus.stopping.completeStop,
    words: 'Completing the stop',
    master: { stage: 114, for: 'the master to take back what is left' },
  },
  { status: crawlStatus.forbid, words: 'Forbidden' },
  { status: crawlStatus.done, words: 'Done' },
  { status: crawlStatus.stopped, words: 'Stopped' },
];

const isAt = ({ status, subStatus: sub }: Place): Sql =>
  sub === undefined ? sql`c.status = ${status}` : sql`c.status = ${status} and c.sub_status = ${sub}`;

/** The value of the first position that applies to a crawl; NULL if none has one. */
function byPlace(value: (place: Place) => Sql | undefined): Sql {
  const branches = places.reduce((all, place) => {
    const its = value(place);
    return its === undefined ? all : sql`${all} when ${isAt(place)} then ${its}`;
  }, sql``);
  return sql`case${branches} end`;
}

const named = (column: Sql, names: Readonly<Record<string, number>>): Sql => {
  const branches = Object.entries(names).reduce(
    (all, [name, value]) => sql`${all} when ${column} = ${value} then ${name}`,
    sql``,
  );
  return sql`case${branches} end`;
};

const lagging = byPlace(
  ({ lagging: its }) =>
    its &&
    sql`(select string_agg(cast(s.component_id as text), ', ' order by s.component_id) from crawl_component_status s
      where s.crawl_id = c.crawl_id and ${its.which})`,
);

const crawls = sql`(select c.*, ${lagging} as lagging from crawls c) c`;

const waitOf = (value: (wait: Wait) => Sql): Sql =>
  byPlace(({ lagging: its, lone: ofStores, master }) => {
    if (!its || !master) return master && value(master);
    const lone = ofStores ? sql`when ${hasLoneStore(sql`c.crawl_id`)} then ${value(ofStores)}` : sql``;
    return sql`case ${lone} when c.lagging is not null then ${value(its)} else ${value(master)} end`;
  });

const words = nvarchar(60);

/**
 * The content source whose anchors are crawled: all anchor crawls themselves have 1 (stage 148), whatever has led to
 * them.
 */
const contentSource = sql`
  coalesce((select m.content_source_id from crawls m where m.crawl_id = c.main_crawl_id and c.project_id = ${project.anchor}),
    c.content_source_id)`;

/** The position of each crawl in words: for people, and for `granary search status`. */
export const crawlProgress: Relation = relation({
  name: 'CrawlProgress',
  type: 'view',
  from: crawls,
  primaryKey: ['CrawlID'],
  columns: {
    CrawlID: stored(int, 'c.crawl_id'),
    Project: {
      type: orNull(words),
      sql: named(sql`c.project_id`, { 'Portal content': project.portalContent, Anchors: project.anchor }),
    },
    Type: {
      type: orNull(words),
      sql: named(sql`c.crawl_type`, {
        Full: crawlType.full,
        Incremental: crawlType.incremental,
        Delete: crawlType.delete,
      }),
    },
    ContentSourceID: { type: int, sql: contentSource },
    Stands: { type: orNull(words), sql: byPlace((place) => sql`${place.words}`) },
    Since: stored(orNull(datetime), 'c.since'),
    WaitsFor: { type: orNull(words), sql: waitOf((wait) => sql`${wait.for}`) },
    Stage: { type: orNull(int), sql: waitOf((wait) => sql`${wait.stage}`) },
    Components: { type: orNull(nvarchar('max')), sql: sql`c.lagging` },
    Stores: {
      type: orNull(nvarchar('max')),
      sql: sql`(select string_agg(cast(s.crawl_store as text), ', ' order by s.crawl_store) from crawl_store_status s
        where s.crawl_id = c.crawl_id)`,
    },
    Request: {
      type: orNull(words),
      sql: named(sql`c.request`, {
        Start: crawlRequest.start,
        Stop: crawlRequest.stop,
        Pause: crawlRequest.pause,
        Resume: crawlRequest.resume,
      }),
    },
    Status: stored(int, 'c.status'),
    SubStatus: stored(int, 'c.sub_status'),
  },
});
