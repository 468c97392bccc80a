import { askOfCrawl, type Crawl, type Source, startCrawl } from '../../api/search.ts';
import { call } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Confirm } from '../parts/confirm.ts';
import { countOf } from '../parts/words.ts';

interface CrawlActionsProps {
  readonly database: string;
  readonly source: Pick<Source, 'id' | 'name'>;
  readonly crawl: Crawl | null;
  readonly held: Source['held'];
  onDone(text: string): void;
}

type What = 'pause' | 'resume' | 'stop' | 'delete unvisited';

/** What may be asked of a content source as its crawl stands. */
export function CrawlActions({ database, source, crawl, held, onDone }: CrawlActionsProps): View {
  const ask = (what: What, told: string) => async () => {
    await call(askOfCrawl, { database, source: source.id, what });
    onDone(told);
  };
  const start = (kind: 'full' | 'incremental' | 'delete') => async () => {
    const { crawl: id } = await call(startCrawl, { database, source: source.id, kind });
    onDone(`Crawl ${id} of ${source.name} is asked for.`);
  };
  if (crawl === null || crawl.isOver) {
    return html`<div class="actions">
      <${Confirm} button="Start full crawl" title=${`Crawl ${source.name} from its start addresses?`} action=${start('full')}>
        <p>Everything is fetched. Components that run do it.</p><//>
      <${Confirm} button="Start incremental crawl" title=${`Crawl what has changed of ${source.name}?`} action=${start('incremental')}>
        <p>Only what has changed is fetched.</p><//>
      ${
        crawl !== null &&
        html`<${Confirm} button="Delete what was crawled" danger title=${`Delete everything that was crawled of ${source.name}?`} action=${start('delete')}>
          <p>Its documents can be found no more until it is crawled again.</p><//>`
      }
    </div>`;
  }
  return html`<div class="actions">
    ${
      crawl.heeds.includes('pause') &&
      html`<${Confirm} button="Pause" title=${`Pause the crawl of ${source.name}?`}
        action=${ask('pause', `The crawl of ${source.name} is asked to pause.`)}>
        <p>It rests until somebody resumes it.</p><//>`
    }
    ${
      crawl.heeds.includes('resume') &&
      html`<${Confirm} button="Resume" title=${`Go on with the crawl of ${source.name}?`}
        action=${ask('resume', `The crawl of ${source.name} is asked to go on.`)} />`
    }
    ${
      crawl.heeds.includes('stop') &&
      html`<${Confirm} button="Stop" danger title=${`Stop the crawl of ${source.name}?`}
        action=${ask('stop', `The crawl of ${source.name} is asked to stop.`)}>
        <p>What is not crawled yet is left; nothing is deleted.</p><//>`
    }
    ${
      held?.isHeld &&
      html`<${Confirm} button="Let it delete them" danger title=${`Delete ${countOf(held.unvisited)} of ${countOf(held.documents)} documents of ${source.name}?`}
        action=${ask('delete unvisited', `The crawl of ${source.name} may delete what it has not reached.`)}>
        <p>The crawl has not reached them. That is much for a source that may only have been down.</p>
        <${HeldUrls} held=${held} /><//>`
    }
  </div>`;
}

/** The first of the documents that a crawl would delete. */
export const HeldUrls = ({ held }: { readonly held: NonNullable<Source['held']> }): View =>
  html`<ul class="code">${held.urls.map((url) => html`<li key=${url}>${url}</li>`)}
    ${held.unvisited > held.urls.length && html`<li>…</li>`}</ul>`;
