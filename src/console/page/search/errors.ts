import type { RouteOutput } from '../../api/declare.ts';
import { listErrors } from '../../api/search.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Empty } from '../parts/empty.ts';
import { Choice } from '../parts/field.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { countOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';
import type { PartProps } from './part-props.ts';

type Failure = RouteOutput<typeof listErrors>['failures'][number];
type Cause = readonly [cause: string, count: number];

const causeColumns = (here: string) => [
  {
    title: 'Cause',
    show: ([cause]: Cause) => html`<a href=${hrefOf(`${here}?cause=${encodeURIComponent(cause)}`)}>${cause}</a>`,
  },
  { title: 'Documents', align: 'number', show: ([, count]: Cause) => countOf(count) },
];

const keyOf = ({ url, cause }: Failure): string => `${url} ${cause}`;

/** Documents of a content source that cannot be crawled, by cause. */
export function Errors({ place, base, database, rest }: PartProps): View {
  const source = Number(rest[0] ?? '0');
  const { after, cause } = place.query;
  const input = {
    database,
    source: Number.isSafeInteger(source) ? source : 0,
    after: after === undefined ? undefined : Number(after),
    cause,
  };
  const { data, error, loading } = useApi(listErrors, input);
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  const heading = html`<div class="head"><h2>Errors of <span class="name">${data.source}</span></h2>
    <a href=${hrefOf(`${base}/sources`)}>All sources</a></div>`;
  if (data.failures.length === 0 && after === undefined && cause === undefined) {
    return html`${heading}<${Empty} title="No errors">No document of this source has an error now.<//><${NotListed} base=${base} />`;
  }
  const causes = Object.entries(data.byCause).sort(([, one], [, other]) => other - one);
  const columns = [
    {
      title: 'URL',
      code: true,
      show: ({ url }: Failure) =>
        url === null ? '' : html`<a href=${hrefOf(`${base}/url?url=${encodeURIComponent(url)}`)}>${url}</a>`,
    },
    { title: 'Cause', show: ({ cause, isWarning }: Failure) => (isWarning ? `warning: ${cause}` : cause) },
    { title: 'Times', align: 'number', show: ({ times }: Failure) => countOf(times) },
    { title: 'Since', show: ({ since }: Failure) => html`<${Time} at=${since} />` },
    { title: 'Description', show: ({ description }: Failure) => description ?? '' },
  ];
  return html`${heading}
    <section class="stack"><h3>By cause</h3>
      <${Table} caption="Errors by cause" columns=${causeColumns(`${base}/errors/${source}`)} rows=${causes} keyOf=${([cause]: Cause) => cause} /></section>
    <section class="stack"><h3>Documents</h3>
      <div class="filters" role="search" aria-label="Filter documents">
        <${Choice} label="Cause" value=${cause ?? ''} options=${[['', 'any'], ...causes.map(([each]) => [each, each])]}
          onChange=${(value: string) => place.setQuery({ cause: value, after: undefined })} />
      </div>
      ${
        data.failures.length === 0
          ? html`<${Empty} title="No such documents">No document has this error now.<//>`
          : html`<${Table} caption="Documents with errors" columns=${columns} rows=${data.failures} keyOf=${keyOf} />`
      }
      <${Pager} label="Pages of documents" first=${after === undefined ? undefined : { after: undefined }}
        next=${data.next === null ? undefined : { after: String(data.next) }} /></section>
    <${NotListed} base=${base} />`;
}

/** Why a crawl may count more errors than are listed. */
const NotListed = ({
  base,
}: Pick<PartProps, 'base'>): View => html`<p class="muted small">URLs that do not exist count as
  errors of a crawl but are not kept, so they are not listed; <a href=${hrefOf(`${base}/url`)}>look one up</a> to see what links to it.</p>`;
