import { loginItself } from '../../base/vouched.ts';
import type { Client } from '../../client/client.ts';
import { typed } from '../../client/query.ts';
import { orNull } from '../../procedure/declare.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { bigint, datetime, int } from '../../tds/types/index.ts';
import { Administration } from '../../workers/crawl/administration.ts';
import { isOver, progressOf } from '../../workers/crawl/progress.ts';
import { isAttended } from '../../workers/crawl/under-way.ts';
import { inSentence } from '../api/in-sentence.ts';
import { workCommand } from '../api/work-command.ts';
import type { WatchedServer } from '../console-server.ts';
import { whyJobWaits } from '../jobs/why-job-waits.ts';
import { clientOf } from '../visits.ts';

/** Something in a database that has waited for an operator for too long: what, since when, and what to do. */
export interface Standstill {
  readonly database: string;
  readonly text: string;
  /** The page below /console that shows it, and the text of the link to it. */
  readonly page: string;
  readonly link: string;
}

const minute = 60_000;

/** Milliseconds that things may wait. A farm's own timer takes items of jobs every quarter of an hour. */
const patience = { jobs: 20 * minute, crawls: minute, timerJobs: 5 * minute };

/**
 * Databases of similar kinds that are looked into, which costs a few milliseconds each, and jobs that are counted in
 * each.
 */
const mostDatabases = 50;
const mostJobs = 100;

/** Whose eyes the server looks with. */
const administrator = 'sa';

const over = [crawlStatus.done, crawlStatus.stopped, crawlStatus.forbid].join(', ');
const ongoing = new Set(Object.entries(crawlStatus).flatMap(([word, status]) => (isOver(status) ? [] : [word])));

/** What looks into a database of a kind. */
type Look = (client: Client, kind: string, now: Date) => Promise<readonly Omit<Standstill, 'database'>[]>;

/** What is needed of a server to determine this. */
type Looked = Pick<WatchedServer, 'measures' | 'attach' | 'clock' | 'kinds' | 'log'>;

/** What is stuck in any database; if a figure counts candidates, only databases in which it counts any are read. */
export async function standstillsOf(server: Looked): Promise<readonly Standstill[]> {
  const databases = await server.kinds();
  const now = server.clock.now();
  const found: Standstill[] = [];
  const within = async (kinds: readonly string[], look: Look, isCounted: (name: string) => boolean = () => true) => {
    const wanted = databases.filter(({ name, kind }) => kinds.includes(kind) && isCounted(name));
    for (const { name, kind } of wanted.slice(0, mostDatabases)) {
      try {
        await using client = clientOf(server, loginItself(administrator)).database(name);
        for (const standstill of await look(client, kind, now)) found.push({ database: name, ...standstill });
      } catch (error) {
        // For example a damaged database, which the overview reports itself; the others are still shown.
        server.log.warn('a database could not be checked for stalled work', {
          database: name,
          error: String(error),
        });
      }
    }
  };
  // The line is an index: looking into it costs less than counting jobs does.
  await within(['translation', 'word', 'word2'], jobsOf);
  const crawled = await countedIn(server, 'granary_crawls', (state) => ongoing.has(state));
  await within(['search-admin', 'search'], crawlsOf, (name) => crawled.has(name));
  await within(['config'], timerJobsOf);
  return found;
}

/** The databases in which a figure counts something in some states. */
async function countedIn(
  { measures }: Pick<WatchedServer, 'measures'>,
  figure: string,
  counts: (state: string) => boolean,
): Promise<ReadonlySet<string>> {
  const measure = measures.all().find(({ name }) => name === figure);
  if (measure === undefined || measure.type === 'distribution') return new Set();
  const samples = [...(await measure.read())];
  return new Set(
    samples.flatMap(({ labels: { state = '', database = '' }, value }) =>
      value > 0 && counts(state) ? [database] : [],
    ),
  );
}

/** Jobs that nobody works on, the one that has waited longest first. */
const jobsOf: Look = async (client, kind, now) => {
  const rows = await client.select(
    { id: bigint, since: datetime },
    `select top ${mostJobs} JobId as id, CreateTime as since from JobsInLine where IsStarted = 0 order by CreateTime, JobId`,
    {},
    { idempotent: true },
  );
  const [oldest] = rows;
  if (oldest === undefined || now.getTime() - oldest.since.getTime() < patience.jobs) return [];
  const { lacksWorker } = await whyJobWaits(client, oldest.id);
  if (!lacksWorker) return [];
  const many =
    rows.length === mostJobs ? `${mostJobs} or more jobs` : rows.length === 1 ? 'A job' : `${rows.length} jobs`;
  const name = client.databaseName;
  return [
    {
      text: `${many} in ${name} ${rows.length === 1 ? 'has' : 'have'} been waiting since ${oldest.since.toISOString()}: no worker is running. To start one: \`${workCommand(kind)}\``,
      page: `/jobs/${encodeURIComponent(name)}?state=waiting`,
      link: 'Show jobs',
    },
  ];
};

/** Crawls that nobody works on, and those that wait to be allowed to delete. */
const crawlsOf: Look = async (client, _kind, now) => {
  const crawls = await progressOf(client, `Status not in (${over})`);
  if (crawls.length === 0) return [];
  const sources = await new Administration(client).sources();
  const isStill = !(await isAttended(client));
  const name = client.databaseName;
  return crawls.flatMap(({ crawl, source, status, since, isHeld, waitsFor }) => {
    if (since === null || now.getTime() - since.getTime() < patience.crawls) return [];
    // Whoever paused it knows the reason.
    if (!isHeld && (!isStill || status === crawlStatus.paused)) return [];
    const sourceName = sources.find(({ id }) => id === source)?.name ?? `${source}`;
    const its = `Crawl ${crawl} of ${inSentence(sourceName)} in ${name}`;
    const why = isHeld
      ? `has been waiting since ${since.toISOString()} for ${waitsFor}.`
      : `has made no progress since ${since.toISOString()}: no crawl component is running. To run those that are free: \`granary crawl run\``;
    return [
      { text: `${its} ${why}`, page: `/search/${encodeURIComponent(name)}/crawls/${crawl}`, link: 'Show the crawl' },
    ];
  });
};

/** Timer jobs whose servers have not begun them. */
const timerJobsOf: Look = async (client, _kind, now) => {
  const [row] = await client.select(
    { late: int, since: orNull(datetime) },
    `select count(*) as late, min(s.StartTime) as since from TimerScheduledJobs s
     where s.StartTime < @before and not exists
       (select * from TimerRunningJobs r where r.JobId = s.JobId and r.ServerId = s.ServerId)`,
    { before: typed(datetime, new Date(now.getTime() - patience.timerJobs)) },
    { idempotent: true },
  );
  const { late = 0, since = null } = row ?? {};
  if (late === 0 || since === null) return [];
  const name = client.databaseName;
  const [many, have, theirs] =
    late === 1 ? ['A timer job', 'has', 'Its server'] : [`${late} timer jobs`, 'have', 'Their servers'];
  return [
    {
      text: `${many} in ${name} ${have} been due since ${since.toISOString()} and not started. ${theirs} may be down: check the SharePoint Timer Service there.`,
      page: `/configuration/${encodeURIComponent(name)}/timer-jobs`,
      link: 'Show timer jobs',
    },
  ];
};
