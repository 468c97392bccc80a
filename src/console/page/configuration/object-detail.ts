import { downloadFile, type Named, showObject, showVersion } from '../../api/configuration.ts';
import type { RouteOutput } from '../../api/declare.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Choice } from '../parts/field.ts';
import { sizeOf } from '../parts/figures.ts';
import { Notice } from '../parts/notice.ts';
import { Time } from '../parts/time.ts';
import { XmlCompared, XmlText } from '../parts/xml-text.ts';
import { hrefOf } from '../place.ts';
import { Level } from './object-tree.ts';
import type { PartProps } from './part-props.ts';

type Shown = RouteOutput<typeof showObject>;

/** The address that a file is downloaded from. */
export const fileAddress = (database: string, object: string): string =>
  downloadFile.path.replace(':database', encodeURIComponent(database)).replace(':object', object);

/** One object: where it is, what it says now and said before, what it depends on, what is below it. */
export function ObjectDetail({ place, base, database, object }: PartProps & { readonly object: string }): View {
  const { data, error } = useApi(showObject, { database, object });
  if (data === undefined) return html`<h1>Object</h1>${error && html`<${Notice} text=${error.message} />`}`;
  const compared = data.versions.find(({ version }) => version === place.query['with'])?.version;
  return html`
    <p class="crumbs"><a href=${hrefOf(`${base}/objects`)}>${database}</a>
      ${data.path.map(({ id, name }) => html` / <a key=${id} href=${hrefOf(`${base}/objects/${id}`)}>${name}</a>`)}</p>
    <h1 class="name">${data.object.name === '' ? '(no name)' : data.object.name}</h1>
    <section class="card" aria-label="Facts"><${Facts} database=${database} shown=${data} /></section>
    <section class="stack">
      <div class="head"><h2>Properties</h2>
        ${
          data.versions.length > 0 &&
          html`<${Choice} label="Compare with" value=${compared ?? ''}
            options=${[['', 'nothing'], ...data.versions.map(({ version, stored }) => [version, `version of ${stored}`] as const)]}
            onChange=${(version: string) => place.setQuery({ with: version })} />`
        }
      </div>
      ${
        compared === undefined
          ? html`<${XmlText} label="Properties" text=${data.properties} />`
          : html`<${Compared} database=${database} object=${object} version=${compared} now=${data.properties} />`
      }
      ${data.versions.length === 0 && html`<p class="muted small">No earlier version is known: the object was not changed since it was stored.</p>`}
    </section>
    <section class="stack"><h2>Depends on</h2><${Links} base=${base} links=${data.dependsOn} none="It depends on nothing." /></section>
    <section class="stack"><h2>Needed by</h2><${Links} base=${base} links=${data.neededBy} none="Nothing depends on it." /></section>
    <section class="stack"><h2>Below it</h2><div class="card tree"><${Level} base=${base} database=${database} parent=${object} /></div></section>`;
}

const Facts = ({ database, shown }: { readonly database: string; readonly shown: Shown }): View => html`
  <dl class="facts">
    <dt>Identifier</dt><dd class="code">${shown.object.id}</dd>
    <dt>Class</dt><dd class="code">${shown.object.class}</dd>
    <dt>Status</dt><dd>${shown.object.status}</dd>
    <dt>Version</dt><dd>${shown.object.version}, stored <${Time} at=${shown.object.stored} /></dd>
    ${
      shown.fileLength !== null &&
      html`<dt>File</dt><dd><a download href=${fileAddress(database, shown.object.id)}>Download ${sizeOf(shown.fileLength)}</a></dd>`
    }
  </dl>`;

interface ComparedProps {
  readonly database: string;
  readonly object: string;
  readonly version: string;
  readonly now: string;
}

function Compared({ database, object, version, now }: ComparedProps): View {
  const { data, error } = useApi(showVersion, { database, object, version });
  if (error) return html`<${Notice} text=${error.message} />`;
  if (data === undefined) return null;
  return html`<${XmlCompared} label="Properties compared" before=${data.properties} after=${now} />`;
}

const Links = ({
  base,
  links,
  none,
}: {
  readonly base: string;
  readonly links: readonly Named[];
  readonly none: string;
}): View =>
  links.length === 0
    ? html`<p class="muted">${none}</p>`
    : html`<ul>${links.map(({ id, name }) => html`<li key=${id}><a href=${hrefOf(`${base}/objects/${id}`)}>${name ?? id}</a></li>`)}</ul>`;
