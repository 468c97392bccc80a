import { useState } from 'preact/hooks';
import { listObjects, type ObjectNode } from '../../api/configuration.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Empty } from '../parts/empty.ts';
import { Field } from '../parts/field.ts';
import { Pending } from '../parts/pending.ts';
import { hrefOf } from '../place.ts';
import type { PartProps } from './part-props.ts';

/** Objects as an expandable tree, or those whose name contains a text. */
export function ObjectTree({ place, base, database }: PartProps): View {
  const { search } = place.query;
  return html`
    <div class="filters" role="search" aria-label="Find objects">
      <${Field} label="Name contains" value=${search} onChange=${(value: string) => place.setQuery({ search: value })} size=${30} />
    </div>
    <div class="card tree"><${Level} key=${search ?? ''} base=${base} database=${database} search=${search} parent=${undefined} /></div>`;
}

interface LevelProps {
  readonly base: string;
  readonly database: string;
  readonly parent?: string | undefined;
  readonly search?: string | undefined;
  readonly after?: ObjectNode | undefined;
}

/** Objects of one level. */
export function Level({ base, database, parent, search, after }: LevelProps): View {
  const [more, setMore] = useState(false);
  const { data, error, loading } = useApi(listObjects, {
    database,
    parent,
    search,
    afterName: after?.name,
    afterId: after?.id,
  });
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  if (data.objects.length === 0 && after === undefined) {
    if (search !== undefined) return html`<${Empty} title="No matching objects">Try a part of the name.<//>`;
    if (parent !== undefined) return html`<p class="muted">No children.</p>`;
    return html`<${Empty} title="No objects yet">A farm stores objects with <code>proc_putObject</code>.<//>`;
  }
  const last = data.objects.at(-1);
  return html`<ul>
      ${data.objects.map((object) => html`<${Branch} key=${object.id} base=${base} database=${database} object=${object} />`)}
    </ul>
    ${data.more && !more && html`<button onClick=${() => setMore(true)}>Show more</button>`}
    ${more && html`<${Level} base=${base} database=${database} parent=${parent} search=${search} after=${last} />`}`;
}

function Branch({ base, database, object }: LevelProps & { readonly object: ObjectNode }): View {
  const [open, setOpen] = useState(false);
  const { id, name, class: its, hasChildren } = object;
  return html`<li>
    ${
      hasChildren
        ? html`<button class="quiet twist" aria-expanded=${open} aria-label=${`Children of ${name}`} onClick=${() => setOpen(!open)}>${open ? '▾' : '▸'}</button>`
        : html`<span class="twist"></span>`
    }
    <a class="bidi" href=${hrefOf(`${base}/objects/${id}`)}>${name === '' ? '(no name)' : name}</a>${' '}
    <span class="muted small">${its.split(',', 1)[0]}</span>
    ${open && html`<${Level} base=${base} database=${database} parent=${id} />`}
  </li>`;
}
