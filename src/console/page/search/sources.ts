import { useState } from 'preact/hooks';
import type { RouteOutput } from '../../api/declare.ts';
import { type Source, showSearch } from '../../api/search.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Badge } from '../parts/badge.ts';
import { Empty } from '../parts/empty.ts';
import { Notice } from '../parts/notice.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { countOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';
import { CrawlActions, HeldUrls } from './crawl-actions.ts';
import { Awaited, Stands, typeOf, Unattended } from './crawl-words.ts';
import type { PartProps } from './part-props.ts';

type Shown = RouteOutput<typeof showSearch>;
type Component = Shown['components'][number];
type Store = Shown['stores'][number];

/** Content sources with their crawls, and what crawls them. */
export function Sources({ base, database, mayAct }: PartProps): View {
  const { data, error, loading, reload } = useLive(showSearch, { database });
  const [done, setDone] = useState('');
  const acted = (text: string) => {
    setDone(text);
    reload();
  };
  return html`
    <${Pending} error=${error} loading=${loading} />
    ${done !== '' && html`<${Notice} kind="ok" text=${done} />`}
    ${
      data?.sources.length === 0 &&
      html`<${Empty} title="No content sources">
        Add one with <code>granary search source add NAME --start URL</code>, then crawl it.<//>`
    }
    ${data?.isAttended === false && data.sources.some(({ crawl }) => crawl?.isOver === false) && html`<${Unattended} />`}
    ${data?.sources.map(
      (source) =>
        html`<${SourceCard} key=${source.id} base=${base} database=${database} source=${source}
          isAttended=${data.isAttended} mayAct=${mayAct} onDone=${acted} />`,
    )}
    ${
      data &&
      html`<section class="stack"><h2>Crawl components</h2>
        <${Table} caption="Crawl components" columns=${componentColumns} rows=${data.components} keyOf=${({ number }: Component) => number} />
        <p class="muted small"><code>granary crawl run</code> runs the components that no other process runs.</p></section>
      <section class="stack"><h2>Crawl stores</h2>
        <${Table} caption="Crawl stores" columns=${storeColumns} rows=${data.stores} keyOf=${({ name }: Store) => name} /></section>`
    }`;
}

interface SourceCardProps {
  readonly base: string;
  readonly database: string;
  readonly source: Source;
  readonly isAttended: boolean;
  readonly mayAct: boolean;
  onDone(text: string): void;
}

function SourceCard({ base, database, source, isAttended, mayAct, onDone }: SourceCardProps): View {
  const { crawl, held } = source;
  return html`<section class="card stack" aria-label=${`Content source ${source.name}`}>
    <div class="head"><h2 class="name">${source.name}</h2>${crawl && html`<${Stands} crawl=${crawl} isAttended=${isAttended} />`}
      <a href=${hrefOf(`${base}/errors/${source.id}`)}>Errors</a></div>
    <ul class="code">${source.startAddresses.map((url) => html`<li key=${url}>${url}</li>`)}</ul>
    ${
      crawl === null
        ? html`<p class="muted">Not crawled yet.</p>`
        : html`${!crawl.isOver && html`<p>Waiting for <${Awaited} crawl=${crawl} />.</p>`}
          <dl class="stats">
            <div><dt>Crawl</dt><dd><a href=${hrefOf(`${base}/crawls/${crawl.id}`)}>${crawl.id}</a> <span class="muted small">${typeOf(crawl)}</span></dd></div>
            <div><dt>Crawled</dt><dd>${countOf(crawl.crawled)}</dd></div>
            <div><dt>Queued</dt><dd>${countOf(crawl.queued)}</dd></div>
            <div><dt>Errors</dt><dd class=${crawl.errors > 0 ? 'bad' : undefined}>${countOf(crawl.errors)}</dd></div>
            <div><dt>Started</dt><dd class="small"><${Time} at=${crawl.started} /></dd></div>
            ${crawl.ended !== null && html`<div><dt>Ended</dt><dd class="small"><${Time} at=${crawl.ended} /></dd></div>`}
          </dl>`
    }
    ${
      held?.isHeld &&
      html`<div class="notice warn" role="status"><p>The crawl did not reach ${countOf(held.unvisited)} of ${countOf(held.documents)} documents
        and waits for permission to delete them.</p><${HeldUrls} held=${held} /></div>`
    }
    ${mayAct && html`<${CrawlActions} database=${database} source=${source} crawl=${crawl} held=${held} onDone=${onDone} />`}
  </section>`;
}

const componentColumns = [
  { title: 'Component', show: ({ number }: Component) => number },
  { title: 'Store', show: ({ store }: Component) => store },
  { title: 'Role', show: ({ isMaster }: Component) => (isMaster ? 'master' : '') },
  {
    title: 'State',
    show: ({ isDisabled }: Component) =>
      html`<${Badge} kind=${isDisabled ? 'idle' : 'ok'} text=${isDisabled ? 'disabled' : 'enabled'} />`,
  },
  { title: 'Last report', show: ({ seen }: Component) => html`<${Time} at=${seen} />` },
];

const storeColumns = [
  { title: 'Database', show: ({ name }: Store) => name },
  { title: 'Documents', align: 'number', show: ({ documents }: Store) => countOf(documents) },
];
