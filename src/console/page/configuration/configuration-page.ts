import { configurationDatabases } from '../../api/configuration.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import type { PageProps } from '../page.ts';
import { Empty } from '../parts/empty.ts';
import { Choice } from '../parts/field.ts';
import { Pending } from '../parts/pending.ts';
import { Tabs } from '../parts/tabs.ts';
import { Changes } from './changes.ts';
import { Files } from './files.ts';
import { ObjectDetail } from './object-detail.ts';
import { ObjectTree } from './object-tree.ts';
import { Products } from './products.ts';
import { Sites } from './sites.ts';
import { TimerHistory } from './timer-history.ts';
import { TimerJobs } from './timer-jobs.ts';

/** The configuration of a farm: /configuration/DATABASE/PART/…. */
export function view({ place }: PageProps): View {
  const { data, error, loading } = useApi(configurationDatabases, {});
  const [named, said = '', ...rest] = place.rest;
  const part = Object.hasOwn(parts, said) ? said : 'objects';
  const database = named ?? data?.databases[0]?.name;
  if (data === undefined) return html`<h1>Configuration</h1><${Pending} error=${error} loading=${loading} />`;
  if (database === undefined) {
    return html`<h1>Configuration</h1><${Empty} title="No configuration database">
      Create one with <code>granary database create NAME --kind config</code>, or ask for a role on an existing one.<//>`;
  }
  const base = `/configuration/${encodeURIComponent(database)}`;
  const props = { place, base, database };
  if (part === 'objects' && rest[0] !== undefined) {
    return html`<${ObjectDetail} key=${rest[0]} ...${props} object=${rest[0]} />`;
  }
  const tabs = [
    [`${base}/objects`, 'Objects'],
    [`${base}/changes`, 'Changes'],
    [`${base}/files`, 'Files'],
    [`${base}/timer-jobs`, 'Timer jobs'],
    [`${base}/timer-history`, 'Timer history'],
    [`${base}/sites`, 'Sites'],
    [`${base}/products`, 'Products'],
  ] as const;
  const Part = parts[part] ?? ObjectTree;
  return html`
    <div class="head"><h1>Configuration</h1>
      ${
        data.databases.length > 1 &&
        html`<${Choice} label="Database" value=${database} options=${data.databases.map(({ name }) => [name, name] as const)}
          onChange=${(name: string) => place.go(`/configuration/${encodeURIComponent(name)}/${part}`)} />`
      }
    </div>
    <${Tabs} label="Parts of the configuration" tabs=${tabs} current=${`${base}/${part}`} />
    <${Part} ...${props} rest=${rest} />`;
}

const parts: Readonly<Record<string, (props: never) => View>> = {
  objects: ObjectTree,
  changes: Changes,
  files: Files,
  'timer-jobs': TimerJobs,
  'timer-history': TimerHistory,
  sites: Sites,
  products: Products,
};
