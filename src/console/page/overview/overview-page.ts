import type { RouteOutput } from '../../api/declare.ts';
import { figures, overview } from '../../api/overview.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import type { PageProps } from '../page.ts';
import { Badge } from '../parts/badge.ts';
import { Empty } from '../parts/empty.ts';
import { sizeOf } from '../parts/figures.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { Time, Told } from '../parts/time.ts';
import { hrefOf } from '../place.ts';
import { RefusedCalls } from './refused-calls.ts';
import { Tiles } from './tiles.ts';

type Overview = RouteOutput<typeof overview>;
type Database = Overview['databases'][number];

const engines: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** Is everything well, and if not, what. */
export function view({ session }: PageProps): View {
  const { data, error, loading } = useLive(overview, {});
  const { data: known } = useLive(figures, {});
  return html`
    <h1>Overview</h1>
    <${Pending} error=${error} loading=${loading} />
    ${
      data &&
      html`<section class=${`card verdict ${data.level}`} aria-label="Verdict">
        <p class="said" role="status">${data.verdict}</p>
        ${
          data.wrong.length + data.standstills.length > 0 &&
          html`<ul>${data.wrong.map((text) => html`<li key=${text}>${linked(text)}</li>`)}
            ${data.standstills.map(
              ({ text, page, link }) =>
                html`<li key=${text}><${Told} text=${text} /> <a href=${hrefOf(page)}>${link}</a></li>`,
            )}</ul>`
        }
        <p class="muted small">Granary ${session.release} on ${engines[session.engine] ?? session.engine}, up since <${Time} at=${data.started} /></p>
      </section>`
    }
    ${known && html`<${Tiles} figures=${known} />`}
    ${
      data &&
      html`<section class="stack">
          <h2>Last refused calls</h2>
          <${RefusedCalls} refused=${data.refused} />
        </section>
        <section class="stack"><h2>Databases</h2><${Databases} databases=${data.databases} /></section>`
    }`;
}

/** A sentence whose sessions link to where they can be ended. */
const linked = (text: string): View =>
  text
    .split(/(session \d+)/i)
    .map((part, i) => (i % 2 === 0 ? part : html`<a href=${hrefOf(`/sessions?find=${part.slice(8)}`)}>${part}</a>`));

const pagesOf: Readonly<Record<string, string>> = {
  translation: '/jobs',
  word: '/jobs',
  word2: '/jobs',
  config: '/configuration',
  'search-admin': '/search',
  search: '/search',
};

/** The page for the contents of a database; if there is none, the query page. */
const pageOf = (name: string, kind: string): string =>
  Object.hasOwn(pagesOf, kind)
    ? `${pagesOf[kind]}/${encodeURIComponent(name)}`
    : `/query?database=${encodeURIComponent(name)}`;

const databaseColumns = [
  { title: 'Name', show: ({ name, kind }: Database) => html`<a href=${hrefOf(pageOf(name, kind))}>${name}</a>` },
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
    ? html`<section class="card"><${Empty} title="No databases yet">Make one with <code>granary database create</code>.<//></section>`
    : html`<${Table} caption="Databases" columns=${databaseColumns} rows=${databases} keyOf=${({ name }: Database) => name} />`;
