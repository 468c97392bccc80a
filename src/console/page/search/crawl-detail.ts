import { useState } from 'preact/hooks';
import { showCrawl } from '../../api/search.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Notice } from '../parts/notice.ts';
import { Pending } from '../parts/pending.ts';
import { Plot } from '../parts/plot.ts';
import { Time } from '../parts/time.ts';
import { countOf, spanOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';
import { CrawlActions, HeldUrls } from './crawl-actions.ts';
import { Awaited, Stands, typeOf, Unattended } from './crawl-words.ts';
import type { PartProps } from './part-props.ts';

const figures = [
  ['Crawled', 'crawled'],
  ['Not modified', 'notModified'],
  ['Queued', 'queued'],
  ['Warnings', 'warnings'],
  ['Errors', 'errors'],
  ['Retried', 'retries'],
  ['Deleted', 'deleted'],
] as const;

/** One crawl: its progress, what it waits for and since when, its speed. */
export function CrawlDetail({ base, database, crawl: id, mayAct }: PartProps & { readonly crawl: number }): View {
  const { data, error, loading, reload } = useLive(showCrawl, { database, crawl: id });
  const [done, setDone] = useState('');
  const acted = (text: string) => {
    setDone(text);
    reload();
  };
  if (data === undefined) {
    return html`<${Pending} error=${error} loading=${loading} />
      ${error && html`<p><a href=${hrefOf(`${base}/crawls`)}>All crawls</a></p>`}`;
  }
  const { crawl, held, rates } = data;
  return html`
    <div class="head"><h2>Crawl ${crawl.id} of <span class="name">${crawl.source.name}</span></h2><${Stands} crawl=${crawl} isAttended=${data.isAttended} />
      <a href=${hrefOf(`${base}/crawls`)}>All crawls</a> <a href=${hrefOf(`${base}/errors/${crawl.source.id}`)}>Errors</a></div>
    <${Pending} error=${error} loading=${loading} />
    ${done !== '' && html`<${Notice} kind="ok" text=${done} />`}
    ${!data.isAttended && html`<${Unattended} />`}
    ${!crawl.isOver && html`<p>Waiting for <${Awaited} crawl=${crawl} />.</p>`}
    ${
      held?.isHeld &&
      html`<div class="notice warn" role="status"><p>The crawl did not reach ${countOf(held.unvisited)} of ${countOf(held.documents)} documents
        and waits for permission to delete them.</p><${HeldUrls} held=${held} /></div>`
    }
    ${mayAct && !crawl.isOver && html`<${CrawlActions} database=${database} source=${crawl.source} crawl=${crawl} held=${held} onDone=${acted} />`}
    <section class="card stack" aria-label="Figures"><dl class="stats">
        ${figures.map(([title, figure]) => html`<div key=${title}><dt>${title}</dt><dd class=${figure === 'errors' && crawl.errors > 0 ? 'bad' : undefined}>${countOf(crawl[figure])}</dd></div>`)}
      </dl>
      <dl class="facts">
        <dt>Type</dt><dd>${typeOf(crawl)}</dd>
        <dt>Started</dt><dd><${Time} at=${crawl.started} /></dd>
        <dt>Ended</dt><dd><${Time} at=${crawl.ended} />${crawl.started !== null && crawl.ended !== null && `, after ${spanOf(Date.parse(crawl.ended) - Date.parse(crawl.started))}`}</dd>
      </dl></section>
    ${
      rates.length > 1
        ? html`<section class="card" aria-label="Speed"><${Plot} label=${`Documents in ${crawl.isOver ? 'its' : 'the'} last hour`} unit="per second"
            points=${rates.map(({ at, perSecond }) => [at, perSecond] as const)} /></section>`
        : !crawl.isOver && html`<p class="muted small">The plot of documents per second starts after ten seconds.</p>`
    }`;
}
