import { type Crawl, listCrawls } from '../../api/search.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Age } from '../parts/age.ts';
import { Empty } from '../parts/empty.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { countOf, spanOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';
import { Awaited, Stands, typeOf, Unattended } from './crawl-words.ts';
import type { PartProps } from './part-props.ts';

const numberOf = (text: string | undefined) =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** Crawls, the last first. */
export function Crawls({ place, base, database }: PartProps): View {
  const [source, before] = [numberOf(place.query['source']), numberOf(place.query['before'])];
  const { data, error, loading } = useLive(listCrawls, { database, source, before });
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  if (data.crawls.length === 0) {
    return html`<${Empty} title="No crawls yet">Start one under <a href=${hrefOf(`${base}/sources`)}>Sources</a>.<//>`;
  }
  const isStill = !data.isAttended && data.crawls.some(({ isOver }) => !isOver);
  return html`<${Pending} error=${error} loading=${loading} />
    ${isStill && html`<${Unattended} />`}
    <${Table} caption="Crawls" columns=${columnsFor(base, data.isAttended)} rows=${data.crawls} keyOf=${({ id }: Crawl) => id} />
    <${Pager} label="Pages of crawls" first=${before === undefined ? undefined : { before: undefined }}
      next=${data.next === null ? undefined : { before: String(data.next) }} />`;
}

const columnsFor = (base: string, isAttended: boolean) => [
  {
    title: 'Crawl',
    align: 'number',
    show: ({ id }: Crawl) => html`<a href=${hrefOf(`${base}/crawls/${id}`)}>${id}</a>`,
  },
  { title: 'Source', show: ({ source }: Crawl) => html`<span class="brief name">${source.name}</span>` },
  { title: 'Type', show: typeOf },
  {
    title: 'Status',
    show: (crawl: Crawl) =>
      html`<div class="status"><${Stands} crawl=${crawl} isAttended=${isAttended} />${!crawl.isOver && html`<p class="small">Waiting for <${Awaited} crawl=${crawl} brief /></p>`}</div>`,
  },
  {
    title: 'Started, ended',
    show: ({ started, ended }: Crawl) =>
      html`<${Time} at=${started} />${ended !== null && html`<br /><${Time} at=${ended} />`}`,
  },
  {
    title: 'Took',
    align: 'number',
    show: ({ started, ended }: Crawl) =>
      started !== null &&
      (ended === null ? html`<${Age} at=${started} />` : spanOf(Date.parse(ended) - Date.parse(started))),
  },
  { title: 'Crawled', align: 'number', show: ({ crawled }: Crawl) => countOf(crawled) },
  { title: 'Errors', align: 'number', show: ({ errors }: Crawl) => countOf(errors) },
  { title: 'Deleted', align: 'number', show: ({ deleted }: Crawl) => countOf(deleted) },
  { title: 'Queued', align: 'number', show: ({ queued }: Crawl) => countOf(queued) },
];
