import type { Row } from '../../base/stored.ts';
import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { errorLevel } from '../../protocols/search/gather/commit/levels.ts';
import { bit, datetime, int, nvarchar } from '../../tds/types/index.ts';
import { Administration } from './administration.ts';
import { causeOf, noIndex } from './fetch/crawl-error.ts';
import { type CrawlStore, Farm } from './store/farm.ts';
import type { ContentSource } from './store/source-book.ts';
import { hash32 } from './url/hash.ts';
import { isTooLong, shownOfUrl } from './url/normal-url.ts';

const history = {
  doc: int,
  source: orNull(int),
  crawl: int,
  committed: int,
  title: orNull(nvarchar(1500)),
  visited: orNull(datetime),
  indexType: orNull(int),
  depth: orNull(int),
  parent: orNull(int),
  deleting: bit,
  error: int,
  level: int,
  description: orNull(nvarchar(1024)),
  times: int,
  since: orNull(datetime),
  missing: int,
  missingSince: orNull(datetime),
};

/** The IndexType of a document that is in the index; others are ways to documents, or ask not to be found. */
const indexed = 1;

/** A link: its source or target, and its text. */
interface Link {
  readonly url: string | null;
  readonly text: string | null;
}

/** Everything that the crawl stores contain about one URL. */
export interface Known {
  readonly url: string;
  readonly source: string;
  readonly isInRules: boolean;
  /** True if it is too long to be crawled. */
  readonly isTooLong?: true;
  readonly title?: string | null;
  readonly visited?: Date | null;
  readonly crawl?: number;
  readonly isFound?: boolean;
  /** Why one that was visited without an error cannot be found. */
  readonly because?: string;
  readonly isBeingDeleted?: boolean;
  readonly linkedFrom?: readonly Link[];
  readonly linksTo?: readonly Link[];
  readonly queuedIn?: readonly number[];
  readonly error?: {
    readonly cause: string;
    readonly description: string | null;
    readonly times: number;
    readonly since: Date | null;
  };
  /** What of it was not crawled, though it was. */
  readonly warning?: { readonly cause: string; readonly description: string | null };
  /** What must happen before its errors delete it. */
  readonly deletedAfter?: { readonly moreErrors: number; readonly notBefore: Date | null };
  readonly wasDeleted: boolean;
}

/** Everything that is known of a URL; nothing where no content source has its host. */
export async function storyOf(admin: Client, url: string): Promise<Known[]> {
  const farm = await Farm.of(admin);
  const sources = await new Administration(admin).sources();
  const ofHost = sources.filter(({ startAddresses }) => startAddresses.some((start) => sameHost(start.url, url)));
  if (isTooLong(url)) return Promise.all(ofHost.map((source) => storyOfTooLong(farm.stores, source, url)));
  const known: Known[] = [];
  for (const store of farm.stores) known.push(...(await inStore(admin, store, sources, url)));
  if (known.length > 0) return known;
  const wasDeleted = await isDeleted(farm.stores, url);
  const linkedFrom = (await Promise.all(farm.stores.map((store) => linksNaming(store, url)))).flat();
  return ofHost.map(({ name, scope }) => ({ url, source: name, isInRules: scope.takes(url), wasDeleted, linkedFrom }));
}

/** A URL that no column contains may be named in the warnings of documents. */
async function storyOfTooLong(stores: readonly CrawlStore[], source: ContentSource, url: string): Promise<Known> {
  const linkedFrom: Link[] = [];
  for (const { client } of stores) {
    const warned = await client.select(
      { url: orNull(nvarchar(4000)), warning: orNull(nvarchar(1024)) },
      `select DisplayURL as url, ErrorDesc as warning from CrawlUrlHistory
       where ContentSourceID = @source and ErrorLevel = 1 and DeletePending = 0 order by DocID`,
      { source: source.id },
    );
    const naming = warned.filter(({ warning }) => warning?.includes(url.slice(0, shownOfUrl)));
    linkedFrom.push(...naming.slice(0, 20).map((document) => ({ url: document.url, text: null })));
  }
  const isInRules = source.scope.takes(url);
  return { url, source: source.name, isInRules, isTooLong: true, wasDeleted: false, linkedFrom };
}

const sameHost = (one: string, other: string): boolean => URL.parse(one)?.host === URL.parse(other)?.host;

/**
 * How rows of a URL are found: by the crawler's own hash, for which there are indexes, unless the store was filled by
 * another client, whose hashes nobody else can work out. This crawler accesses and shows documents by one URL.
 */
async function byHash(client: Client, url: string, hash: string, ...urls: readonly [string, ...string[]]) {
  const [one] = await client.select(
    { url: orNull(nvarchar(1500)), hash: orNull(int) },
    'select top 1 AccessURL as url, AccessHash as hash from CrawlUrlHistory order by DocID',
  );
  const isOwn = one === undefined || one.hash === hash32(one.url ?? '');
  if (isOwn) return { condition: `${hash} = @hash and ${urls[0]} = @url`, given: { url, hash: hash32(url) } };
  return { condition: `(${urls.map((each) => `${each} = @url`).join(' or ')})`, given: { url } };
}

async function isDeleted(stores: readonly CrawlStore[], url: string): Promise<boolean> {
  for (const { client } of stores) {
    const { condition, given } = await byHash(client, url, 'AccessHash', 'AccessURL');
    const [row] = await client.select({ n: int }, `select count(*) as n from DeletedUrl where ${condition}`, given);
    if ((row?.n ?? 0) > 0) return true;
  }
  return false;
}

async function inStore(
  admin: Client,
  { client }: CrawlStore,
  sources: readonly ContentSource[],
  url: string,
): Promise<Known[]> {
  const { condition, given } = await byHash(client, url, 'AccessHash', 'AccessURL', 'DisplayURL');
  const rows = await client.select(
    history,
    `select DocID as doc, ContentSourceID as source, CrawlID as crawl, CommitCrawlID as committed, Title as title,
       LastTouchStart as visited, IndexType as indexType, EnumerationDepth as depth, ParentDocID as parent,
       DeletePending as deleting, ErrorID as error, ErrorLevel as level, ErrorDesc as description, ErrorCount as times,
       FirstErrorTime as since, ErrorDeleteCount as missing, FirstErrorDeleteTime as missingSince
     from CrawlUrlHistory where ${condition}`,
    given,
  );
  const known: Known[] = [];
  for (const row of rows) {
    const source = sources.find(({ id }) => id === row.source);
    known.push({
      url,
      source: source?.name ?? String(row.source),
      isInRules: source?.scope.takes(url) ?? false,
      title: row.title,
      visited: row.visited,
      crawl: row.committed || row.crawl,
      isFound: isIndexed(row),
      isBeingDeleted: row.deleting,
      linkedFrom: await linksTo(client, row.doc),
      linksTo: await linksFrom(client, row.doc),
      queuedIn: await queuesOf(client, row.doc),
      ...(row.committed > 0 && row.level !== errorLevel.error && row.indexType !== indexed
        ? { because: await whyNotIndexed(admin, row) }
        : {}),
      ...(row.level === errorLevel.warning && { warning: await warningOf(admin, row) }),
      ...(row.level === errorLevel.error && { error: await errorOf(admin, row) }),
      ...(row.level === errorLevel.error && source !== undefined ? { deletedAfter: deletion(row, source) } : {}),
      wasDeleted: false,
    });
  }
  return known;
}

/**
 * Whether a document can be found: one that fails now is found as it was before, if it was ever read and has a title.
 */
const isIndexed = ({ indexType, level, title, committed, deleting }: Row<typeof history>): boolean =>
  indexType === indexed && committed > 0 && !deleting && (level !== errorLevel.error || title !== null);

interface Failed {
  readonly error: number;
  readonly description: string | null;
  readonly times: number;
  readonly since: Date | null;
  readonly missing: number;
  readonly missingSince: Date | null;
}

async function hresultOf(admin: Client, error: number): Promise<number> {
  const text = 'select hrResult as hresult from CrawlErrors where ErrorID = @error';
  const [found] = await admin.select({ hresult: int }, text, { error }, { idempotent: true });
  return found?.hresult ?? 0;
}

async function whyNotIndexed(admin: Client, { error, level, description }: Row<typeof history>): Promise<string> {
  if ((await hresultOf(admin, error)) === noIndex) return 'it asks robots not to index it';
  return (level === errorLevel.success ? description : null) ?? 'it only leads elsewhere';
}

const warningOf = async (admin: Client, { error, description }: Failed) => ({
  cause: causeOf(await hresultOf(admin, error)),
  description,
});

async function errorOf(admin: Client, { error, description, times, since, missing, missingSince }: Failed) {
  const cause = causeOf(await hresultOf(admin, error));
  return { cause, description, times: Math.max(times, missing), since: missingSince ?? since };
}

/** Both counts and hours must have passed; what is denied or not found has shorter ones (the rules of its source). */
function deletion({ times, since, missing, missingSince }: Failed, { rules }: ContentSource) {
  const isMissing = missing > 0;
  const allowed = isMissing ? rules.errorDeleteCount : rules.errorCount;
  const hours = isMissing ? rules.errorDeleteHours : rules.errorHours;
  const from = isMissing ? missingSince : since;
  return {
    moreErrors: Math.max(0, allowed - (isMissing ? missing : times)),
    notBefore: from === null ? null : new Date(from.getTime() + hours * 3_600_000),
  };
}

/** Some of the links to a document. With an ORDER BY, PostgreSQL would search all anchors in that order. */
const linksTo = (client: Client, doc: number) =>
  client.select(
    { url: orNull(nvarchar(4000)), text: orNull(nvarchar(1500)) },
    `select top 20 h.DisplayURL as url, a.AnchorText as text
     from AnchorTextInfo a join CrawlUrlHistory h on h.DocID = a.SourceDocID where a.TargetDocID = @doc`,
    { doc },
  );

/**
 * Links to a URL that is no document of the store, by their text; those to a document that a crawl deletes at its end.
 */
async function linksNaming({ client }: CrawlStore, url: string): Promise<Link[]> {
  const { condition, given } = await byHash(client, url, 'a.LinkHash', 'a.Link');
  return client.select(
    { url: orNull(nvarchar(4000)), text: orNull(nvarchar(1500)) },
    `select top 20 h.DisplayURL as url, a.AnchorText as text
     from UnresolvedAnchors a join CrawlUrlHistory h on h.DocID = a.SourceDocID where ${condition}`,
    given,
  );
}

const linksFrom = (client: Client, doc: number): Promise<Link[]> =>
  client.select(
    { url: orNull(nvarchar(4000)), text: orNull(nvarchar(1500)) },
    `select top 50 coalesce(a.Link, h.DisplayURL) as url, a.AnchorText as text
     from AnchorTextInfo a left join CrawlUrlHistory h on h.DocID = a.TargetDocID
     where a.SourceDocID = @doc order by a.LinkOrdinal`,
    { doc },
  );

async function queuesOf(client: Client, doc: number): Promise<number[]> {
  const rows = await client.select({ crawl: int }, 'select CrawlID as crawl from MSSCrawlQueue where DocID = @doc', {
    doc,
  });
  return rows.map(({ crawl }) => crawl);
}
