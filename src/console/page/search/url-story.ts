import { type Known, showUrl } from '../../api/search.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { Empty } from '../parts/empty.ts';
import { Field } from '../parts/field.ts';
import { Pending } from '../parts/pending.ts';
import { Time } from '../parts/time.ts';
import { counted } from '../parts/words.ts';
import { hrefOf } from '../place.ts';
import type { PartProps } from './part-props.ts';

/** The whole story of one URL. */
export function UrlStory({ place, base, database }: PartProps): View {
  const url = place.query['url'] ?? '';
  const { data, error, loading } = useApi(showUrl, { database, url }, { skip: url === '' });
  return html`
    <div class="filters" role="search" aria-label="Look a URL up">
      <${Field} label="URL" value=${url} onChange=${(value: string) => place.setQuery({ url: value })} size=${60} />
    </div>
    <${Pending} error=${error} loading=${loading && url !== ''} />
    ${url === '' && html`<${Empty} title="Look up a URL">Shows when it was visited, its errors, whether it can be found and why not, and the links to and from it.<//>`}
    ${
      data?.known.length === 0 &&
      html`<${Empty} title="This URL is unknown, and no content source includes it">
        Add its start address to a content source, then crawl that.<//>`
    }
    ${data?.known.map((known, at) => html`<${Story} key=${at} base=${base} known=${known} />`)}`;
}

function stateOf({
  isFound,
  isBeingDeleted,
  wasDeleted,
  crawl,
}: Known): readonly ['ok' | 'warn' | 'bad' | 'idle', string] {
  if (isBeingDeleted) return ['warn', 'being deleted'];
  if (isFound) return ['ok', 'searchable'];
  if (wasDeleted) return ['idle', 'not kept'];
  return crawl === null ? ['idle', 'never reached'] : ['bad', 'not searchable'];
}

function Story({ base, known }: { readonly base: string; readonly known: Known }): View {
  const [kind, words] = stateOf(known);
  const { error, warning, deletedAfter } = known;
  return html`<section class="card stack" aria-label=${`In ${known.source}`}>
    <div class="head"><h2 class="name">${known.title ?? known.url}</h2><${Badge} kind=${kind} text=${words} /></div>
    ${known.title !== null && known.title !== known.url && html`<p class="code">${known.url}</p>`}
    <dl class="facts">
      <dt>Content source</dt><dd>${known.source}${known.isInRules ? '' : ', whose rules now exclude it'}</dd>
      <dt>Last visited</dt><dd><${Time} at=${known.visited} />${
        known.crawl !== null && html` by <a href=${hrefOf(`${base}/crawls/${known.crawl}`)}>crawl ${known.crawl}</a>`
      }</dd>
      ${known.wasDeleted && html`<dt>Not kept</dt><dd>It was missing, excluded by a rule or robots.txt, or deleted by a crawl.</dd>`}
      ${known.because !== null && html`<dt>Not searchable</dt><dd>${known.because}</dd>`}
      ${known.queuedIn.length > 0 && html`<dt>Queued in</dt><dd>${known.queuedIn.map((id) => `crawl ${id}`).join(', ')}</dd>`}
      ${
        warning !== null &&
        html`<dt>Warning</dt><dd>${warning.cause}
          ${warning.description !== null && html`<p>${warning.description}</p>`}</dd>`
      }
      ${
        error !== null &&
        html`<dt>Error</dt><dd>${error.cause}, ${counted(error.times, 'time')}${error.since !== null && html` since <${Time} at=${error.since} />`}
          ${error.description !== null && html`<p>${error.description}</p>`}</dd>`
      }
      ${
        deletedAfter !== null &&
        html`<dt>Deleted after</dt><dd>${counted(deletedAfter.moreErrors, 'more such error')}${deletedAfter.notBefore !== null && html`, not before <${Time} at=${deletedAfter.notBefore} />`}</dd>`
      }
    </dl>
    <h3>Incoming links</h3><${Links} base=${base} links=${known.linkedFrom} none="None known." />
    <h3>Outgoing links</h3><${Links} base=${base} links=${known.linksTo} none="None known." />
  </section>`;
}

interface LinksProps {
  readonly base: string;
  readonly links: Known['linkedFrom'];
  readonly none: string;
}

const Links = ({ base, links, none }: LinksProps): View =>
  links.length === 0
    ? html`<p class="muted">${none}</p>`
    : html`<ul>${links.map(
        ({ url, text }, at) =>
          html`<li key=${at}>${
            url === null
              ? ''
              : html`<a class="code" href=${hrefOf(`${base}/url?url=${encodeURIComponent(url)}`)}>${url}</a>`
          } ${text !== null && html`“<span class="bidi">${text}</span>”`}</li>`,
      )}</ul>`;
