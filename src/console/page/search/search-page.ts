import { searchDatabases } from '../../api/search.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import type { PageProps } from '../page.ts';
import { Empty } from '../parts/empty.ts';
import { Choice } from '../parts/field.ts';
import { Pending } from '../parts/pending.ts';
import { Tabs } from '../parts/tabs.ts';
import { CrawlDetail } from './crawl-detail.ts';
import { Crawls } from './crawls.ts';
import { Errors } from './errors.ts';
import { Find } from './find.ts';
import { Sources } from './sources.ts';
import { UrlStory } from './url-story.ts';

/** Search: /search/DATABASE/PART/…. */
export function view({ place }: PageProps): View {
  const { data, error, loading } = useApi(searchDatabases, {});
  const [named, part = 'sources', ...rest] = place.rest;
  const database = named ?? data?.databases[0]?.name;
  if (data === undefined) return html`<h1>Search</h1><${Pending} error=${error} loading=${loading} />`;
  if (database === undefined) {
    return html`<h1>Search</h1><${Empty} title="No search administration database">
      Create one with <code>granary database create NAME --kind search-admin</code>, or ask for a role on an existing one.<//>`;
  }
  const base = `/search/${encodeURIComponent(database)}`;
  const mayAct = data.databases.some(({ name, mayAct: may }) => may && name.toLowerCase() === database.toLowerCase());
  const props = { place, base, database, rest, mayAct };
  const tabs = [
    [`${base}/sources`, 'Sources'],
    [`${base}/crawls`, 'Crawls'],
    [`${base}/find`, 'Find'],
    [`${base}/url`, 'URL lookup'],
  ] as const;
  const current = part === 'errors' ? 'sources' : part;
  return html`
    <div class="head"><h1>Search</h1>
      ${
        data.databases.length > 1 &&
        html`<${Choice} label="Database" value=${database} options=${data.databases.map(({ name }) => [name, name] as const)}
          onChange=${(name: string) => place.go(`/search/${encodeURIComponent(name)}/sources`)} />`
      }
    </div>
    <${Tabs} label="Parts of search" tabs=${tabs} current=${`${base}/${current}`} />
    ${partOf(part, props)}`;
}

function partOf(part: string, props: Parameters<typeof Sources>[0]): View {
  if (part === 'crawls') {
    const [crawl] = props.rest;
    return crawl !== undefined && /^\d{1,9}$/.test(crawl)
      ? html`<${CrawlDetail} key=${crawl} ...${props} crawl=${Number(crawl)} />`
      : html`<${Crawls} ...${props} />`;
  }
  if (part === 'errors') return html`<${Errors} ...${props} />`;
  if (part === 'find') return html`<${Find} ...${props} />`;
  if (part === 'url') return html`<${UrlStory} ...${props} />`;
  return html`<${Sources} ...${props} />`;
}
