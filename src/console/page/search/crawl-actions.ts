import { inSentence } from '../../api/in-sentence.ts';
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

/** The requests that a content source accepts in the state of its crawl. */
export function CrawlActions({ database, source, crawl, held, onDone }: CrawlActionsProps): View {
  const name = inSentence(source.name);
  const ask = (what: What, told: string) => async () => {
    await call(askOfCrawl, { database, source: source.id, what });
    onDone(told);
  };
  const start = (kind: 'full' | 'incremental' | 'delete') => async () => {
    const { crawl: id } = await call(startCrawl, { database, source: source.id, kind });
    onDone(`Crawl ${id} of ${name} is requested.`);
  };
  if (crawl === null || crawl.isOver) {
    return html`<div class="actions">
      <${Confirm} button="Start full crawl" title=${`Start a full crawl of ${name}?`} action=${start('full')}>
        <p>Every document is fetched, from the start addresses on.</p><//>
      <${Confirm} button="Start incremental crawl" title=${`Start an incremental crawl of ${name}?`} action=${start('incremental')}>
        <p>Only documents that have changed are fetched.</p><//>
      ${
        crawl !== null &&
        html`<${Confirm} button="Delete crawled documents" danger title=${`Delete everything crawled from ${name}?`} action=${start('delete')}>
          <p>Its documents cannot be found until it is crawled again.</p><//>`
      }
    </div>`;
  }
  return html`<div class="actions">
    ${
      crawl.heeds.includes('pause') &&
      html`<${Confirm} button="Pause" title=${`Pause the crawl of ${name}?`}
        action=${ask('pause', `The crawl of ${name} is asked to pause.`)}>
        <p>It stays paused until somebody resumes it.</p><//>`
    }
    ${
      crawl.heeds.includes('resume') &&
      html`<${Confirm} button="Resume" title=${`Resume the crawl of ${name}?`}
        action=${ask('resume', `The crawl of ${name} is asked to resume.`)} />`
    }
    ${
      crawl.heeds.includes('stop') &&
      html`<${Confirm} button="Stop" danger title=${`Stop the crawl of ${name}?`}
        action=${ask('stop', `The crawl of ${name} is asked to stop.`)}>
        <p>Documents not crawled yet are left out; nothing is deleted.</p><//>`
    }
    ${
      held?.isHeld &&
      html`<${Confirm} button="Allow deletion" danger title=${`Delete ${countOf(held.unvisited)} of ${countOf(held.documents)} documents of ${name}?`}
        action=${ask('delete unvisited', `The crawl of ${name} may delete the documents that it did not reach.`)}>
        <p>The crawl did not reach these documents. So many at once may mean that the source was unavailable: check it first.</p>
        <${HeldUrls} held=${held} /><//>`
    }
  </div>`;
}

/** The first of the documents that a crawl would delete. */
export const HeldUrls = ({ held }: { readonly held: NonNullable<Source['held']> }): View =>
  html`<ul class="code">${held.urls.map((url) => html`<li key=${url}>${url}</li>`)}
    ${held.unvisited > held.urls.length && html`<li>…</li>`}</ul>`;
