import { listTimerJobs, type Named, type RunningJob, type TimerLock } from '../../api/configuration.ts';
import type { RouteOutput } from '../../api/declare.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Age } from '../parts/age.ts';
import { Badge } from '../parts/badge.ts';
import { Empty } from '../parts/empty.ts';
import { Pending } from '../parts/pending.ts';
import { ProgressBar } from '../parts/progress-bar.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { spanOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';
import type { PartProps } from './part-props.ts';

type Shown = RouteOutput<typeof listTimerJobs>;
type Scheduled = Shown['scheduled'][number];
type DatabaseLock = Shown['databaseLocks'][number];

const nameOf = ({ id, name }: Named): string => name || id;

/** Timer jobs: what runs, who holds which lock until when, what is scheduled. */
export function TimerJobs({ base, database }: PartProps): View {
  const { data, error, loading } = useLive(listTimerJobs, { database });
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  const job = (named: Named) => html`<a href=${hrefOf(`${base}/timer-history/${named.id}`)}>${nameOf(named)}</a>`;
  return html`<${Pending} error=${error} loading=${loading} />
    <section class="stack"><h2>Running</h2>${data.running.length === 0 ? html`<${Empty} title="No timer jobs are running" />` : html`<${Table} caption="Running timer jobs" columns=${runningColumns(job)} rows=${data.running} keyOf=${keyOf} />`}</section>
    <section class="stack"><h2>Locks</h2>${data.locks.length === 0 ? html`<${Empty} title="No locks are held" />` : html`<${Table} caption="Locks of timer jobs" columns=${lockColumns(job)} rows=${data.locks} keyOf=${keyOf} />`}
      ${data.databaseLocks.length > 0 && html`<${Table} caption="Locks of content databases" columns=${databaseLockColumns} rows=${data.databaseLocks} keyOf=${({ database: of }: DatabaseLock) => of?.id ?? ''} />`}</section>
    <section class="stack"><h2>Scheduled</h2>${
      data.scheduled.length === 0
        ? html`<${Empty} title="No timer jobs are scheduled">Servers schedule timer jobs with <code>proc_ScheduleTimerJob</code>.<//>`
        : html`<${Table} caption="Scheduled timer jobs" columns=${scheduledColumns(job, data.now)} rows=${data.scheduled} keyOf=${keyOf} />`
    }</section>`;
}

const keyOf = ({ job, server }: { readonly job: Named; readonly server: Named }): string => `${job.id} ${server.id}`;

type Job = (named: Named) => View;

const runningColumns = (job: Job) => [
  { title: 'Timer job', show: (row: RunningJob) => job(row.job) },
  {
    title: 'Status',
    show: ({ status }: RunningJob) => html`<${Badge} kind=${status === 'failed' ? 'bad' : 'ok'} text=${status} />`,
  },
  {
    title: 'Progress',
    show: ({ done, job: named }: RunningJob) =>
      done === null
        ? ''
        : html`<${ProgressBar} done=${Math.round(done)} total=${100} label=${`Progress of ${nameOf(named)}`} />`,
  },
  { title: 'Target', align: 'number', show: ({ target, targets }: RunningJob) => `${target} of ${targets}` },
  { title: 'Server', show: ({ server }: RunningJob) => nameOf(server) },
  { title: 'Started', show: ({ started }: RunningJob) => html`<${Time} at=${started} />` },
  { title: 'Running for', align: 'number', show: ({ started }: RunningJob) => html`<${Age} at=${started} />` },
];

/** Until when a lock holds, in words. */
const Until = ({ until, isLapsed }: { readonly until: string | null; readonly isLapsed: boolean }): View => {
  if (until === null) return 'no expiry given';
  return html`<${Time} at=${until} /> ${isLapsed && html`<${Badge} kind="warn" text="expired, may be taken over" />`}`;
};

const lockColumns = (job: Job) => [
  { title: 'Timer job', show: (row: TimerLock) => job(row.job) },
  { title: 'Held by', show: ({ server }: TimerLock) => nameOf(server) },
  { title: 'Since', show: ({ since }: TimerLock) => html`<${Time} at=${since} />` },
  { title: 'Until', show: ({ until, isLapsed }: TimerLock) => html`<${Until} until=${until} isLapsed=${isLapsed} />` },
  { title: 'State', show: ({ isGivenUp }: TimerLock) => (isGivenUp ? 'given up' : 'held') },
];

const databaseLockColumns = [
  {
    title: 'Content database',
    show: ({ database }: DatabaseLock) => (database === null ? 'the database of the call' : nameOf(database)),
  },
  { title: 'Held by', show: ({ server }: DatabaseLock) => nameOf(server) },
  { title: 'Since', show: ({ since }: DatabaseLock) => html`<${Time} at=${since} />` },
  {
    title: 'Until',
    show: ({ until, isLapsed }: DatabaseLock) => html`<${Until} until=${until} isLapsed=${isLapsed} />`,
  },
];

/** When a job is to run; what is past has not been begun by its server. */
const RunsAt = ({ start, now }: { readonly start: string; readonly now: string }): View => {
  const late = Date.parse(now) - Date.parse(start);
  return html`<${Time} at=${start} /> ${late > 0 && html`<${Badge} kind="warn" text=${`overdue by ${spanOf(late)}`} />`}`;
};

const scheduledColumns = (job: Job, now: string) => [
  { title: 'Timer job', show: (row: Scheduled) => job(row.job) },
  { title: 'Next run', show: ({ start }: Scheduled) => html`<${RunsAt} start=${start} now=${now} />` },
  { title: 'Server', show: ({ server }: Scheduled) => nameOf(server) },
  {
    title: 'Web application',
    show: ({ webApplication }: Scheduled) => (webApplication === null ? '' : nameOf(webApplication)),
  },
];
