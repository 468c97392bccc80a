import { useState } from 'preact/hooks';
import type { RouteOutput } from '../../api/declare.ts';
import { type Counts, cancelJob, listGroups, showJob, submitJob, tryJobAgain } from '../../api/jobs.ts';
import { workCommand } from '../../api/work-command.ts';
import { call, useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Age } from '../parts/age.ts';
import { Confirm } from '../parts/confirm.ts';
import { Empty } from '../parts/empty.ts';
import { Notice } from '../parts/notice.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { Time, Told } from '../parts/time.ts';
import { counted, countOf } from '../parts/words.ts';
import { XmlText } from '../parts/xml-text.ts';
import { hrefOf, numberOf, type Place } from '../place.ts';
import { JobProgress, JobState } from './job-state.ts';

interface JobDetailProps {
  readonly place: Place;
  readonly base: string;
  readonly database: string;
  readonly job: string;
  readonly mayAct: boolean;
}

type Shown = RouteOutput<typeof showJob>;

/** One job: how it gets on, its groups, and what may be done with it. */
export function JobDetail({ place, base, database, job, mayAct }: JobDetailProps): View {
  const { data, error, loading, reload } = useLive(showJob, { database, job });
  const [done, setDone] = useState('');
  if (data === undefined) {
    return html`<h1>Job ${job}</h1><${Pending} error=${error} loading=${loading} />
      ${error && html`<p><a href=${hrefOf(base)}>All jobs</a></p>`}`;
  }
  const acted = (text: string) => {
    setDone(text);
    reload();
  };
  return html`
    <p class="crumbs"><a href=${hrefOf(base)}>${database}</a></p>
    <div class="head"><h1>Job ${data.id}</h1><${JobState} state=${data.state} counts=${data.counts} /></div>
    ${data.name !== null && html`<p class="name">${data.name}</p>`}
    <${Pending} error=${error} loading=${loading} />
    ${done !== '' && html`<${Notice} kind="ok" text=${done} />`}
    ${mayAct && html`<${Actions} database=${database} job=${data} onDone=${acted} />`}
    <section class="card stack" aria-label="Progress"><${Facts} job=${data} /></section>
    <section class="stack"><h2>Groups</h2><${Groups} place=${place} base=${base} database=${database} job=${job} /></section>
    ${
      data.settings !== null &&
      html`<section class="stack"><h2>Settings</h2><${XmlText} label="Settings of the job" text=${data.settings} /></section>`
    }`;
}

function Facts({ job }: { readonly job: Shown }): View {
  const { counts } = job;
  return html`
    <${JobProgress} job=${job} />
    <dl class="stats">
      <div><dt>Items</dt><dd>${countOf(job.items)}</dd></div>
      ${
        counts === null
          ? html`<div><dt>Outcome</dt><dd class="muted">counting…</dd></div>`
          : html`<div><dt>Succeeded</dt><dd>${countOf(counts.succeeded)}</dd></div>
            <div><dt>Failed</dt><dd class=${counts.failed > 0 ? 'bad' : undefined}>${countOf(counts.failed)}</dd></div>
            ${openOf(job.state, counts).map(([title, count]) => html`<div key=${title}><dt>${title}</dt><dd>${countOf(count)}</dd></div>`)}`
      }
    </dl>
    <dl class="facts">
      ${
        job.why !== null &&
        job.state !== 'cancelled' &&
        html`<dt>${job.state === 'in progress' ? 'Now' : 'Why it waits'}</dt><dd><strong><${Told} text=${job.why} /></strong>
        ${job.lacksWorker && html` To start one, here or on another machine: <code>${workCommand(job.kind)}</code>`}</dd>`
      }
      <dt>Created</dt><dd><${Time} at=${job.created} />, <${Age} at=${job.created} /> ago</dd>
      ${job.cancelled !== null && html`<dt>Cancelled</dt><dd><${Time} at=${job.cancelled} /></dd>`}
      ${job.runningSince !== null && job.state === 'in progress' && html`<dt>In progress since</dt><dd><${Time} at=${job.runningSince} /></dd>`}
      ${job.partition !== null && html`<dt>Partition</dt><dd class="code">${job.partition}</dd>`}
      ${counts !== null && html`<dt>Counted</dt><dd><${Time} at=${counts.at} />${job.counting ? ', counting again…' : ''}</dd>`}
    </dl>`;
}

/**
 * The items that have not ended, by what has become of them: a job that is cancelled or not submitted holds all of
 * them.
 */
function openOf(state: Shown['state'], { inProgress, waiting }: Counts): readonly (readonly [string, number])[] {
  if (state === 'cancelled') return [['Cancelled', inProgress + waiting]];
  if (state === 'not submitted') return [['Not submitted', inProgress + waiting]];
  return [
    ['In progress', inProgress],
    ['Waiting', waiting],
  ];
}

interface ActionsProps {
  readonly database: string;
  readonly job: Shown;
  onDone(text: string): void;
}

/** The actions that a job allows in its state. */
function Actions({ database, job, onDone }: ActionsProps): View {
  const input = { database, job: job.id };
  const failed = job.counts?.failed ?? 0;
  const submit = async () => {
    await call(submitJob, input);
    onDone(`Job ${job.id} is submitted.`);
  };
  const cancel = async () => {
    await call(cancelJob, input);
    onDone(`Job ${job.id} is cancelled.`);
  };
  const again = async () => {
    const { items } = await call(tryJobAgain, input);
    onDone(`${counted(items, 'item')} ${items === 1 ? 'is' : 'are'} waiting again.`);
  };
  return html`<div class="actions">
    ${
      job.state === 'not submitted' &&
      html`<${Confirm} button="Submit" title=${`Submit job ${job.id}?`} action=${submit}>
        <p>Workers can take its items from then on.</p><//>`
    }
    ${
      job.state !== 'cancelled' &&
      job.state !== 'done' &&
      html`<${Confirm} button="Cancel job" danger title=${`Cancel job ${job.id}?`} action=${cancel}>
        <p>No more of its items are started, and this cannot be undone. Items in progress may still finish.</p><//>`
    }
    ${
      failed > 0 &&
      job.state !== 'cancelled' &&
      html`<${Confirm} button="Retry failed items" title=${`Retry ${counted(failed, 'failed item')} of job ${job.id}?`} action=${again}>
        <p>They return to the queue with at least one attempt left.</p><//>`
    }
  </div>`;
}

type Group = RouteOutput<typeof listGroups>['groups'][number];

const columnsFor = (path: string) => [
  { title: 'Group', show: ({ id }: Group) => html`<a href=${hrefOf(`${path}/groups/${id}`)}>${id}</a>` },
  { title: 'Input root', code: true, show: ({ inputRoot }: Group) => inputRoot ?? '' },
  { title: 'Output root', code: true, show: ({ outputRoot }: Group) => outputRoot ?? '' },
];

function Groups({ place, base, database, job }: Omit<JobDetailProps, 'mayAct'>): View {
  const after = numberOf(place.query['after']);
  const { data, error, loading } = useApi(listGroups, { database, job, after });
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  if (data.groups.length === 0 && after === undefined) {
    return html`<${Empty} title="No groups yet">Clients add groups with <code>proc_AddGroup</code>.<//>`;
  }
  return html`<${Table} caption="Groups" columns=${columnsFor(`${base}/${job}`)} rows=${data.groups} keyOf=${({ id }: Group) => id} />
    <${Pager} label="Pages of groups" first=${after === undefined ? undefined : { after: undefined }}
      next=${data.next === null ? undefined : { after: String(data.next) }} />`;
}
