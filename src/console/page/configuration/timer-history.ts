import { listTimerHistory, type TimerRun } from '../../api/configuration.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Badge } from '../parts/badge.ts';
import { Empty } from '../parts/empty.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Plot } from '../parts/plot.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { hrefOf } from '../place.ts';
import type { PartProps } from './part-props.ts';

/** Finished runs of timer jobs, and how long they took; of one job if the address names it. */
export function TimerHistory({ place, base, database, rest }: PartProps): View {
  const [job] = rest;
  const { before } = place.query;
  const { data, error, loading } = useLive(listTimerHistory, { database, job, before });
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  const { runs } = data;
  if (runs.length === 0) {
    return html`<${Empty} title=${job === undefined ? 'No timer job runs yet' : 'This timer job has not run yet'}>
      Servers report runs with <code>proc_AddTimerJobHistory</code>.<//>`;
  }
  const points = runs
    .flatMap(({ started, seconds }) => (started === null || seconds === null ? [] : [[started, seconds] as const]))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const title = job === undefined ? 'all timer jobs' : (runs[0]?.title ?? job);
  return html`<${Pending} error=${error} loading=${loading} />
    ${
      job !== undefined &&
      html`<div class="head"><h2 class="name">${title}</h2><a href=${hrefOf(`${base}/timer-history`)}>All timer jobs</a>
        <a href=${hrefOf(`${base}/objects/${job}`)}>Definition</a></div>`
    }
    <section class="card" aria-label="Durations"><${Plot} label="Duration of the runs on this page" points=${points} unit="seconds" bars /></section>
    <${Table} caption="Runs of timer jobs" columns=${columnsFor(base, job)} rows=${runs} keyOf=${({ id }: TimerRun) => id} />
    <${Pager} label="Pages of runs" first=${before === undefined ? undefined : { before: undefined }}
      next=${data.next === null ? undefined : { before: data.next }} />`;
}

/** Runs of one job all have its title, which is shown above them. */
const columnsFor = (base: string, only: string | undefined) => [
  { title: 'Started', show: ({ started }: TimerRun) => html`<${Time} at=${started} />` },
  ...(only === undefined
    ? [
        {
          title: 'Timer job',
          show: ({ job, title }: TimerRun) =>
            job === null ? title : html`<a href=${hrefOf(`${base}/timer-history/${job}`)}>${title ?? job}</a>`,
        },
      ]
    : []),
  {
    title: 'Status',
    show: ({ status }: TimerRun) =>
      html`<${Badge} kind=${status === 'succeeded' ? 'ok' : status === 'failed' || status === 'aborted' ? 'bad' : 'idle'} text=${status} />`,
  },
  { title: 'Seconds', align: 'number', show: ({ seconds }: TimerRun) => seconds?.toFixed(1) ?? '' },
  { title: 'Server', show: ({ server }: TimerRun) => server ?? '' },
  { title: 'Web application', show: ({ webApplication }: TimerRun) => webApplication ?? '' },
  { title: 'Error', show: ({ error }: TimerRun) => error ?? '' },
];
