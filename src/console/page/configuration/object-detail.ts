import { downloadFile, type Named, showObject, showVersion } from '../../api/configuration.ts';
import type { RouteOutput } from '../../api/declare.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Choice } from '../parts/field.ts';
import { sizeOf } from '../parts/figures.ts';
import { Notice } from '../parts/notice.ts';
import { Pending } from '../parts/pending.ts';
import { Time } from '../parts/time.ts';
import { XmlCompared, XmlText } from '../parts/xml-text.ts';
import { hrefOf } from '../place.ts';
import { Level } from './object-tree.ts';
import type { PartProps } from './part-props.ts';

type Shown = RouteOutput<typeof showObject>;

/** The address that a file is downloaded from. */
export const fileAddress = (database: string, object: string): string =>
  downloadFile.path.replace(':database', encodeURIComponent(database)).replace(':object', object);

/** A moment of JSON as pages write it, with its milliseconds: versions may follow each other quickly. */
const shortOf = (at: string): string => at.replace('T', ' ').replace('Z', '');

/** One object: its path, its present and former contents, what it depends on, what is below it. */
export function ObjectDetail({ place, base, database, object }: PartProps & { readonly object: string }): View {
  const { data, error, loading } = useApi(showObject, { database, object });
  if (data === undefined) return html`<h1>Object</h1><${Pending} error=${error} loading=${loading} />`;
  const known = (name: string) => data.versions.find(({ version }) => version === place.query[name])?.version;
  const [shown, compared] = [known('version'), known('with')];
  const earlier = data.versions.map(({ version, stored }) => [version, `version of ${shortOf(stored)}`] as const);
  return html`
    <p class="crumbs"><a href=${hrefOf(`${base}/objects`)}>${database}</a>
      ${data.path.map(({ id, name }) => html` / <a key=${id} class="bidi" href=${hrefOf(`${base}/objects/${id}`)}>${name || '(no name)'}</a>`)}</p>
    <h1 class="name">${data.object.name === '' ? '(no name)' : data.object.name}</h1>
    <section class="card" aria-label="Facts"><${Facts} database=${database} shown=${data} /></section>
    <section class="stack">
      <div class="head"><h2>Properties</h2>
        ${
          data.versions.length > 0 &&
          html`<${Choice} label="Show" value=${shown ?? ''} options=${[['', 'current version'], ...earlier]}
            onChange=${(version: string) => place.setQuery({ version })} />
          <${Choice} label="Compare with" value=${compared ?? ''} options=${[['', 'no other version'], ...earlier]}
            onChange=${(version: string) => place.setQuery({ with: version })} />`
        }
      </div>
      ${
        shown === undefined && compared === undefined
          ? html`<${XmlText} label="Properties" text=${data.properties} />`
          : html`<${Versions} database=${database} object=${object} shown=${shown} compared=${compared} now=${data.properties} />`
      }
      ${data.versions.length === 0 && html`<p class="muted small">No earlier version is known: the object has not changed since it was first stored.</p>`}
    </section>
    <div class="pair">
      <section class="stack"><h2>Depends on</h2><${Links} base=${base} links=${data.dependsOn} none="No dependencies." /></section>
      <section class="stack"><h2>Required by</h2><${Links} base=${base} links=${data.neededBy} none="No dependents." /></section>
    </div>
    <section class="stack"><h2>Children</h2><div class="card tree"><${Level} base=${base} database=${database} parent=${object} /></div></section>`;
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

interface VersionsProps {
  readonly database: string;
  readonly object: string;
  /** The version that is shown, by default the present one, and the one that it is compared with, if any. */
  readonly shown: string | undefined;
  readonly compared: string | undefined;
  readonly now: string;
}

/** The contents of an object in a version, compared with those of another if one is chosen. */
function Versions({ database, object, shown, compared, now }: VersionsProps): View {
  const of = (version: string | undefined) =>
    useApi(showVersion, { database, object, version: version ?? '' }, { skip: version === undefined });
  const [own, other] = [of(shown), of(compared)];
  const error = own.error ?? other.error;
  if (error) return html`<${Notice} text=${error.message} />`;
  const text = shown === undefined ? now : own.data?.properties;
  if (text === undefined) return null;
  if (compared === undefined) return html`<${XmlText} label="Properties" text=${text} />`;
  if (other.data === undefined) return null;
  return html`<${XmlCompared} label="Properties compared" before=${other.data.properties} after=${text} />`;
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
    : html`<ul>${links.map(({ id, name }) => html`<li key=${id}><a href=${hrefOf(`${base}/objects/${id}`)}>${name || id}</a></li>`)}</ul>`;
