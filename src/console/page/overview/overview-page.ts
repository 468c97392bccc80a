import type { RouteOutput } from '../../api/declare.ts';
import { overview } from '../../api/overview.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import type { PageProps } from '../page.ts';
import { Badge } from '../parts/badge.ts';
import { Empty } from '../parts/empty.ts';
import { sizeOf } from '../parts/figures.ts';
import { Notice } from '../parts/notice.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';

/** Is everything well, and if not, what. */
export function view(_: PageProps): View {
  const { data, error } = useApi(overview, {}, { every: 5000 });
  return html`
    <h1>Overview</h1>
    ${error && html`<${Notice} text=${error.message} />`}
    ${
      data &&
      html`<section class=${`card verdict ${data.wrong.length > 0 ? 'bad' : 'ok'}`} aria-label="Verdict">
        <p class="said">${data.verdict}</p>
        ${data.wrong.length > 0 && html`<ul>${data.wrong.map((text) => html`<li key=${text}>${text}</li>`)}</ul>`}
        <p class="muted small">Up since <${Time} at=${data.started} /></p>
      </section>
      <section class="stack"><h2>Databases</h2><${Databases} databases=${data.databases} /></section>`
    }`;
}

type Database = RouteOutput<typeof overview>['databases'][number];

const columns = [
  { title: 'Name', show: ({ name }: Database) => name },
  { title: 'Kind', show: ({ kind }: Database) => kind },
  {
    title: 'State',
    show: ({ isSuspect }: Database) =>
      html`<${Badge} kind=${isSuspect ? 'bad' : 'ok'} text=${isSuspect ? 'SUSPECT' : 'ONLINE'} />`,
  },
  { title: 'Size', align: 'number', show: ({ bytes }: Database) => sizeOf(bytes) },
  { title: 'Log', align: 'number', show: ({ logBytes }: Database) => sizeOf(logBytes) },
  { title: 'Created', show: ({ created }: Database) => html`<${Time} at=${created} />` },
];

const Databases = ({ databases }: { readonly databases: readonly Database[] }): View =>
  databases.length === 0
    ? html`<${Empty} title="No databases yet">Make one with <code>granary database create</code>.<//>`
    : html`<${Table} caption="Databases" columns=${columns} rows=${databases} keyOf=${({ name }: Database) => name} />`;
