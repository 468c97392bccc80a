import { jobDatabases } from '../../api/jobs.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import type { PageProps } from '../page.ts';
import { Empty } from '../parts/empty.ts';
import { Pending } from '../parts/pending.ts';
import { Tabs } from '../parts/tabs.ts';
import { GroupItems } from './group-items.ts';
import { JobDetail } from './job-detail.ts';
import { JobLimits } from './job-limits.ts';
import { JobList } from './job-list.ts';

/** Names of databases differ by more than case. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Jobs of the three protocols: /jobs/DATABASE/JOB/groups/GROUP, and /jobs/DATABASE/limits. */
export function view({ place }: PageProps): View {
  const { data, error, loading } = useApi(jobDatabases, {});
  const [named, job, , group] = place.rest;
  const database = named ?? data?.databases[0]?.name;
  if (data === undefined) return html`<h1>Jobs</h1><${Pending} error=${error} loading=${loading} />`;
  if (database === undefined) {
    return html`<h1>Jobs</h1><${Empty} title="No job database">
      Create one with <code>granary database create NAME --kind translation</code>, or ask for a role on an existing one.<//>`;
  }
  const { name, kind, mayAct = false } = data.databases.find((each) => isSame(each.name, database)) ?? {};
  const base = `/jobs/${encodeURIComponent(name ?? database)}`;
  if (job !== undefined && job !== 'limits') {
    if (group !== undefined && /^-?\d{1,5}$/.test(group)) {
      return html`<${GroupItems} key=${`${job}/${group}`} place=${place} base=${base} database=${database} job=${job}
        group=${Number(group)} mayAct=${mayAct} />`;
    }
    return html`<${JobDetail} key=${job} place=${place} base=${base} database=${database} job=${job} mayAct=${mayAct} />`;
  }
  const tabs = data.databases.map((each) => [`/jobs/${encodeURIComponent(each.name)}`, each.name] as const);
  return html`
    <h1>Jobs</h1>
    <${Tabs} label="Job databases" tabs=${tabs} current=${base} />
    ${
      job === 'limits'
        ? html`<${JobLimits} base=${base} database=${database} />`
        : html`<${JobList} key=${database} place=${place} base=${base} database=${database} kind=${kind} />`
    }`;
}
