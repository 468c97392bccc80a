import type { RouteOutput } from '../../api/declare.ts';
import { findDocuments } from '../../api/search.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Empty } from '../parts/empty.ts';
import { Field } from '../parts/field.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Time } from '../parts/time.ts';
import { countOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';
import type { PartProps } from './part-props.ts';

type Found = RouteOutput<typeof findDocuments>['found'][number];

const pageSize = 20;

/** A search box over what was crawled. */
export function Find({ place, base, database }: PartProps): View {
  const text = place.query['text'] ?? '';
  const given = Number(place.query['first'] ?? '1');
  const first = Number.isSafeInteger(given) && given >= 1 ? given : 1;
  const { data, error, loading } = useApi(findDocuments, { database, text, first }, { skip: text === '' });
  return html`
    <div class="filters" role="search" aria-label="Find documents">
      <${Field} label="Words" value=${text} onChange=${(value: string) => place.setQuery({ text: value, first: undefined })} size=${40} />
    </div>
    <p class="muted small">Documents must contain all words. "Several words" finds a phrase, -word excludes a word, author:word
      searches a property, and wor* finds words that begin so.</p>
    <${Pending} error=${error} loading=${loading && text !== ''} />
    ${text === '' && html`<${Empty} title="Search what was crawled">Type words that a document has, or the beginning of one: wor*<//>`}
    ${data?.total === 0 && html`<${Empty} title="No documents found">Try fewer words, or the beginning of one: wor*<//>`}
    ${
      data !== undefined &&
      data.total > 0 &&
      html`<p role="status">${countOf(data.total)} ${data.total === 1 ? 'document' : 'documents'}.</p>
      <ol class="found" start=${first}>${data.found.map((document) => html`<${Document} key=${document.place} base=${base} document=${document} />`)}</ol>
      <${Pager} label="Pages of documents" previous=${first === 1 ? undefined : { first: first > pageSize ? String(first - pageSize) : undefined }}
        next=${first - 1 + pageSize < Math.min(data.total, 1000) ? { first: String(first + pageSize) } : undefined} />`
    }`;
}

/** The matches are between « and ». */
const marked = (snippet: string): View =>
  snippet.split(/«([^«»]*)»/).map((part, at) => (at % 2 === 0 ? part : html`<mark>${part}</mark>`));

/** The address is shown as text, not as a link to another host: crawled contents are untrusted. */
const Document = ({ base, document }: { readonly base: string; readonly document: Found }): View => html`
  <li><a href=${hrefOf(`${base}/url?url=${encodeURIComponent(document.url)}`)}>${document.title || document.url}</a>
    <div class="code muted">${document.url}</div>
    <p>${marked(document.snippet)}</p>
    <p class="muted small">indexed <${Time} at=${document.indexed} /></p></li>`;
