import { type Job, jobStates, listJobs } from '../../api/jobs.ts';
import { workCommand } from '../../api/work-command.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Age } from '../parts/age.ts';
import { Empty } from '../parts/empty.ts';
import { Choice, Field } from '../parts/field.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { countOf } from '../parts/words.ts';
import { hrefOf, type Place } from '../place.ts';
import { JobProgress, JobState } from './job-state.ts';

interface JobListProps {
  readonly place: Place;
  readonly base: string;
  readonly database: string;
  readonly kind: string | undefined;
}

/** Jobs of a database, the newest first; filters and page are in the address. */
export function JobList({ place, base, database, kind }: JobListProps): View {
  const { search, partition, after } = place.query;
  const state = jobStates.find((each) => each === place.query['state']);
  const { data, error, loading } = useLive(listJobs, { database, state, search, partition, after });
  const filter = (changes: Record<string, string>) => place.setQuery({ ...changes, after: undefined });
  const isFiltered = state !== undefined || search !== undefined || partition !== undefined;
  return html`
    <div class="filters" role="search" aria-label="Filter jobs">
      <${Field} label="Name or number" value=${search} onChange=${(value: string) => filter({ search: value })} size=${24} />
      <${Choice} label="State" value=${state ?? ''} options=${stateOptions} onChange=${(value: string) => filter({ state: value })} />
      <${Field} label="Partition" value=${partition} onChange=${(value: string) => filter({ partition: value })} size=${34} />
      ${kind === 'translation' && html`<a class="button" href=${hrefOf(`${base}/limits`)}>Daily limits</a>`}
    </div>
    <${Pending} error=${error} loading=${loading} />
    ${data?.lacksWorker && html`<${NoWorker} kind=${kind} />`}
    ${data && html`<${Jobs} base=${base} jobs=${data.jobs} isFiltered=${isFiltered} />`}
    ${
      data &&
      html`<${Pager} label="Pages of jobs" first=${after === undefined ? undefined : { after: undefined }}
      next=${data.next === null ? undefined : { after: data.next }} />`
    }`;
}

/** Where jobs wait and nobody works at them: what to do. */
const NoWorker = ({ kind }: Pick<JobListProps, 'kind'>): View => html`<div class="notice warn" role="status">
  <p>No worker is running, so waiting items do not start. To start one, here or on another machine: <code>${workCommand(kind)}</code></p></div>`;

const stateOptions = [['', 'any'], ...jobStates.map((state) => [state, state] as const)] as const;

const columnsFor = (base: string, jobs: readonly Job[]) => [
  { title: 'Job', align: 'number', show: ({ id }: Job) => html`<a href=${hrefOf(`${base}/${id}`)}>${id}</a>` },
  { title: 'Name', show: ({ name }: Job) => name !== null && html`<span class="name">${name}</span>` },
  { title: 'State', show: ({ state, counts }: Job) => html`<${JobState} state=${state} counts=${counts} />` },
  { title: 'Progress', show: (job: Job) => html`<${JobProgress} job=${job} />` },
  { title: 'Items', align: 'number', show: ({ items }: Job) => countOf(items) },
  {
    title: 'Open',
    align: 'number',
    show: ({ open, counts }: Job) => {
      if (open !== null) return countOf(open);
      return counts === null ? `> ${countOf(1000)}` : countOf(counts.waiting + counts.inProgress);
    },
  },
  { title: 'Age', align: 'number', show: ({ created }: Job) => html`<${Age} at=${created} />` },
  ...(jobs.some(({ partition }) => partition !== null)
    ? [
        {
          title: 'Partition',
          show: ({ partition }: Job) =>
            partition !== null &&
            html`<a class="code" title=${`Jobs of partition ${partition}`} href=${hrefOf(`${base}?partition=${partition}`)}>${partition.slice(0, 8)}…</a>`,
        },
      ]
    : []),
];

function Jobs({
  base,
  jobs,
  isFiltered,
}: {
  readonly base: string;
  readonly jobs: readonly Job[];
  readonly isFiltered: boolean;
}): View {
  if (jobs.length > 0) {
    return html`<${Table} caption="Jobs" columns=${columnsFor(base, jobs)} rows=${jobs} keyOf=${({ number }: Job) => number} />`;
  }
  if (isFiltered) return html`<${Empty} title="No matching jobs">Remove a filter to see more.<//>`;
  return html`<${Empty} title="No jobs yet">
    Clients add jobs with <code>proc_AddJob</code>; on the command line, use <code>granary job submit</code>.<//>`;
}
