import { listSiteContainers, listSites } from '../../api/configuration.ts';
import type { RouteOutput } from '../../api/declare.ts';
import { inSentence } from '../../api/in-sentence.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Empty } from '../parts/empty.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { countOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';
import type { PartProps } from './part-props.ts';

type Container = RouteOutput<typeof listSiteContainers>['containers'][number];
type Site = RouteOutput<typeof listSites>['sites'][number];

const pageSize = 100;

/** The site map: how many site collections are where, and which. */
export function Sites({ place, base, database, rest }: PartProps): View {
  const [application, content] = rest;
  const { data, error, loading } = useApi(listSiteContainers, { database });
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  if (data.containers.length === 0) {
    return html`<${Empty} title="No site collections">A farm adds site collections with <code>proc_putSiteMap</code>.<//>`;
  }
  if (application !== undefined && content !== undefined) {
    const within = data.containers.find((each) => each.application.id === application && each.database.id === content);
    if (within === undefined) {
      return html`<${Empty} title="No site collections here">The Web application has none in this content database.
        <a href=${hrefOf(`${base}/sites`)}>All databases</a><//>`;
    }
    return html`<${SitesOf} place=${place} base=${base} database=${database} application=${application} content=${content} within=${within} />`;
  }
  const columns = [
    { title: 'Web application', show: (row: Container) => row.application.name || row.application.id },
    {
      title: 'Content database',
      show: (row: Container) =>
        html`<a href=${hrefOf(`${base}/sites/${row.application.id}/${row.database.id}`)}>${row.database.name || row.database.id}</a>`,
    },
    { title: 'Site collections', align: 'number', show: ({ sites }: Container) => countOf(sites) },
  ];
  const keyOf = (row: Container) => `${row.application.id} ${row.database.id}`;
  return html`<${Table} caption="Site collections by Web application and content database" columns=${columns} rows=${data.containers} keyOf=${keyOf} />`;
}

interface SitesOfProps extends Omit<PartProps, 'rest'> {
  readonly application: string;
  readonly content: string;
  readonly within: Container;
}

const siteColumns = [
  { title: 'Path', code: true, show: ({ path }: Site) => path },
  { title: 'Identifier', code: true, show: ({ id }: Site) => id },
];

function SitesOf({ place, base, database, application, content, within }: SitesOfProps): View {
  const given = Number(place.query['first'] ?? '0');
  const first = Number.isSafeInteger(given) && given > 0 ? given : 0;
  const { data, error, loading } = useApi(listSites, { database, application, content, first });
  const names = `${inSentence(within.database.name || content)} in ${inSentence(within.application.name || application)}`;
  return html`
    <div class="head"><h2 class="name">${names}</h2><a href=${hrefOf(`${base}/sites`)}>All databases</a></div>
    <${Pending} error=${error} loading=${loading} />
    ${data && html`<${Table} caption="Site collections" columns=${siteColumns} rows=${data.sites} keyOf=${({ id }: Site) => id} />`}
    ${
      data &&
      html`<${Pager} label="Pages of sites" previous=${first === 0 ? undefined : { first: first > pageSize ? String(first - pageSize) : undefined }}
        next=${data.more ? { first: String(first + pageSize) } : undefined} />`
    }`;
}
