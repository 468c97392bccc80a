import { useState } from 'preact/hooks';
import { showCrawl } from '../../api/search.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Notice } from '../parts/notice.ts';
import { Pending } from '../parts/pending.ts';
import { Plot } from '../parts/plot.ts';
import { Time } from '../parts/time.ts';
import { countOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';
import { CrawlActions, HeldUrls } from './crawl-actions.ts';
import { Awaited, Stands, typeOf, Unattended } from './crawl-words.ts';
import type { PartProps } from './part-props.ts';

/** One crawl: where it is, whom it waits for since when, how fast it is. */
export function CrawlDetail({ base, database, crawl: id, mayAct }: PartProps & { readonly crawl: number }): View {
  const { data, error, loading, reload } = useLive(showCrawl, { database, crawl: id });
  const [done, setDone] = useState('');
  const acted = (text: string) => {
    setDone(text);
    reload();
  };
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  const { crawl, held, rates } = data;
  return html`
    <div class="head"><h2>Crawl ${crawl.id} of <span class="name">${crawl.source.name}</span></h2><${Stands} crawl=${crawl} />
      <a href=${hrefOf(`${base}/crawls`)}>All crawls</a> <a href=${hrefOf(`${base}/errors/${crawl.source.id}`)}>Errors</a></div>
    <${Pending} error=${error} loading=${loading} />
    ${done !== '' && html`<${Notice} kind="ok" text=${done} />`}
    ${!data.isAttended && html`<${Unattended} />`}
    ${!crawl.isOver && html`<p>It waits for <${Awaited} crawl=${crawl} />.</p>`}
    ${
      held?.isHeld &&
      html`<div class="notice warn" role="status"><p>It has not reached ${countOf(held.unvisited)} of ${countOf(held.documents)} documents
        and waits to be allowed to delete them.</p><${HeldUrls} held=${held} /></div>`
    }
    ${mayAct && !crawl.isOver && html`<${CrawlActions} database=${database} source=${crawl.source} crawl=${crawl} held=${held} onDone=${acted} />`}
    <section class="card" aria-label="Figures"><dl class="facts">
      <dt>Type</dt><dd>${typeOf(crawl)}</dd>
      <dt>Started</dt><dd><${Time} at=${crawl.started} /></dd>
      <dt>Ended</dt><dd><${Time} at=${crawl.ended} /></dd>
      <dt>Crawled</dt><dd>${countOf(crawl.crawled)}</dd>
      <dt>Not modified</dt><dd>${countOf(crawl.notModified)}</dd>
      <dt>Warnings</dt><dd>${countOf(crawl.warnings)}</dd>
      <dt>Errors</dt><dd>${countOf(crawl.errors)}</dd>
      <dt>Tried again</dt><dd>${countOf(crawl.retries)}</dd>
      <dt>Deleted</dt><dd>${countOf(crawl.deleted)}</dd>
      <dt>Queued</dt><dd>${countOf(crawl.queued)}</dd>
    </dl></section>
    ${
      rates.length > 1
        ? html`<section class="card" aria-label="Speed"><${Plot} label=${`Documents in ${crawl.isOver ? 'its' : 'the'} last hour`} unit="a second"
            points=${rates.map(({ at, perSecond }) => [at, perSecond] as const)} /></section>`
        : !crawl.isOver &&
          html`<p class="muted small">The plot of documents a second begins when ten seconds have passed.</p>`
    }`;
}
