import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { find } from '../../protocols/search/full-text/find.ts';
import { isDisabled } from '../../protocols/search/topology/component-state.ts';
import { bit, datetime, int, nvarchar } from '../../tds/types/index.ts';
import { Administration } from '../../workers/crawl/administration.ts';
import { errorsByCause, failuresOf, isOver, progressOf } from '../../workers/crawl/progress.ts';
import { Farm } from '../../workers/crawl/store/farm.ts';
import { crawlInTheWay, isAttended, standsOf } from '../../workers/crawl/under-way.ts';
import { normalUrl } from '../../workers/crawl/url/normal-url.ts';
import { storyOf } from '../../workers/crawl/url-story.ts';
import { type Answering, answer } from '../answer.ts';
import { inSentence } from '../api/in-sentence.ts';
import {
  askOfCrawl,
  findDocuments,
  listCrawls,
  listErrors,
  searchDatabases,
  showCrawl,
  showSearch,
  showUrl,
  startCrawl,
} from '../api/search.ts';
import { notFound, refused } from '../refusal.ts';
import { actedOn, kindOf } from './databases.ts';
import { ask, currentOf, sourceOf, toldCrawl } from './search/crawls.ts';
import { ratesOf } from './search/rates.ts';
import { isoOf, pageOf } from './values.ts';

const kinds = ['search-admin', 'search'] as const;
const crawlPage = 50;
const errorPage = 100;
const foundPage = 20;

const components = {
  CrawlComponentNumber: int,
  CrawlStoreOrdinal: int,
  State: int,
  Master: bit,
  ReportTime: orNull(datetime),
};

const componentsOf = async (admin: Client, signal: AbortSignal) => {
  const rows = await admin.select(
    components,
    `select ${Object.keys(components).join(', ')} from CrawlComponents order by CrawlComponentNumber`,
    {},
    { signal, idempotent: true },
  );
  return rows.map(({ CrawlComponentNumber, CrawlStoreOrdinal, State, Master, ReportTime }) => ({
    number: CrawlComponentNumber,
    store: CrawlStoreOrdinal,
    isDisabled: isDisabled(State),
    isMaster: Master,
    seen: isoOf(ReportTime),
  }));
};

const storesOf = async (admin: Client, signal: AbortSignal) => {
  const text = 'select Name, DocCount from CrawlStores order by Ordinal';
  const rows = await admin.select({ Name: nvarchar(256), DocCount: int }, text, {}, { signal, idempotent: true });
  return rows.map(({ Name, DocCount }) => ({ name: Name, documents: DocCount }));
};

/** Content sources, crawls, errors, the story of a URL, and the search box. */
export const searchRoutes: readonly Answering[] = [
  answer(searchDatabases, async (asked) => ({
    databases: (await actedOn(asked, kinds)).map(({ name, mayAct }) => ({ name, mayAct })),
  })),
  answer(showSearch, async ({ params, client, signal }) => {
    const admin = client(params.database);
    await kindOf(admin, kinds, signal);
    const administration = new Administration(admin);
    const sources = await administration.sources();
    const crawls = await progressOf(admin, '1 = 1');
    const told = [];
    for (const { id, name, startAddresses } of sources) {
      const current = currentOf(crawls, id);
      const isOngoing = current !== undefined && !isOver(current.status);
      told.push({
        id,
        name,
        startAddresses: startAddresses.map(({ url }) => url),
        crawl: current === undefined ? null : toldCrawl(current, sources),
        held: isOngoing ? ((await administration.unvisited(current.crawl)) ?? null) : null,
      });
    }
    return {
      sources: told,
      isAttended: await isAttended(admin),
      components: await componentsOf(admin, signal),
      stores: await storesOf(admin, signal),
    };
  }),
  answer(listCrawls, async ({ params, query, client, signal }) => {
    const admin = client(params.database);
    await kindOf(admin, kinds, signal);
    const { source, before } = query;
    const where = [
      ...(source === undefined ? [] : ['ContentSourceID = @source']),
      ...(before === undefined ? [] : ['CrawlID < @before']),
    ];
    const given = { ...(source === undefined ? {} : { source }), ...(before === undefined ? {} : { before }) };
    const crawls = await progressOf(admin, where.join(' and ') || '1 = 1', given);
    const sources = await new Administration(admin).sources();
    const { page, more } = pageOf(crawls, crawlPage);
    const told = page.map((crawl) => toldCrawl(crawl, sources));
    return { crawls: told, next: more ? (told.at(-1)?.id ?? null) : null, isAttended: await isAttended(admin) };
  }),
  answer(showCrawl, async ({ params, client, signal, server }) => {
    const admin = client(params.database);
    await kindOf(admin, kinds, signal);
    const [progress] = await progressOf(admin, 'CrawlID = @crawl', { crawl: params.crawl });
    if (progress === undefined) throw notFound(`There is no crawl ${params.crawl}.`);
    const administration = new Administration(admin);
    const done = progress.crawled + progress.errors;
    // A finished one shows its last state, whenever it is requested.
    const at = (isOver(progress.status) ? progress.ended : null) ?? server.clock.now();
    return {
      crawl: toldCrawl(progress, await administration.sources()),
      isAttended: isOver(progress.status) || (await isAttended(admin)),
      held: (await administration.unvisited(params.crawl)) ?? null,
      rates: ratesOf(server).note(`${params.database}/${params.crawl}`, at, done),
    };
  }),
  answer(listErrors, async ({ params, query, client, signal }) => {
    const admin = client(params.database);
    await kindOf(admin, kinds, signal);
    const { id, name } = await sourceOf(new Administration(admin), params.source);
    const { page, more } = pageOf(await failuresOf(admin, id, errorPage + 1, query), errorPage);
    return {
      source: name,
      byCause: await errorsByCause(admin, id),
      failures: page.map(({ doc: _doc, since, ...failure }) => ({ ...failure, since: isoOf(since) })),
      next: more ? (page.at(-1)?.doc ?? null) : null,
    };
  }),
  answer(showUrl, async ({ params, query, client, signal }) => {
    const admin = client(params.database);
    await kindOf(admin, kinds, signal);
    const url = normalUrl(query.url);
    if (url === undefined) throw refused(400, `'${query.url}' is no URL that could be crawled.`);
    const known = await storyOf(admin, url);
    return {
      url,
      known: known.map((story) => ({
        url: story.url,
        source: story.source,
        isInRules: story.isInRules,
        title: story.title ?? null,
        visited: isoOf(story.visited ?? null),
        crawl: story.crawl ?? null,
        isFound: story.isFound ?? false,
        because: story.because ?? null,
        isBeingDeleted: story.isBeingDeleted ?? false,
        wasDeleted: story.wasDeleted,
        queuedIn: story.queuedIn ?? [],
        error: story.error === undefined ? null : { ...story.error, since: isoOf(story.error.since) },
        warning: story.warning ?? null,
        deletedAfter:
          story.deletedAfter === undefined
            ? null
            : { ...story.deletedAfter, notBefore: isoOf(story.deletedAfter.notBefore) },
        linkedFrom: story.linkedFrom ?? [],
        linksTo: story.linksTo ?? [],
      })),
    };
  }),
  answer(findDocuments, async ({ params, query, client, signal }) => {
    const admin = client(params.database);
    await kindOf(admin, kinds, signal);
    const first = query.first ?? 1;
    // Each store ranks its own: the best of all are among the best of each.
    const wanted = { Text: query.text, Count: Math.min(1000, first - 1 + foundPage) };
    const { propertyStores } = await Farm.of(admin);
    const answers = await Promise.all(propertyStores.map((store) => store.call(find, wanted, { signal })));
    const found = answers
      .flatMap(({ sets }) => sets.Found)
      .sort((one, other) => other.Rank - one.Rank)
      .slice(first - 1, first - 1 + foundPage)
      .map(({ Title, Url, Snippet, Indexed }, at) => ({
        place: first + at,
        title: Title,
        url: Url,
        snippet: Snippet,
        indexed: isoOf(Indexed),
      }));
    return { total: answers.reduce((sum, { output }) => sum + (output.Total ?? 0), 0), found };
  }),
  answer(startCrawl, async ({ params, body, client, signal }) => {
    const admin = client(params.database);
    await kindOf(admin, kinds, signal);
    const administration = new Administration(admin);
    const { name } = await sourceOf(administration, params.source);
    const other = await crawlInTheWay(admin, params.source, body.kind);
    if (other !== undefined) {
      throw refused(
        409,
        `Crawl ${other.crawl} of ${inSentence(name)} goes on (${standsOf(other)}): stop it, or wait until it is done.`,
      );
    }
    return { crawl: await administration.start(params.source, body.kind) };
  }),
  answer(askOfCrawl, async ({ params, body, client, signal }) => {
    const admin = client(params.database);
    await kindOf(admin, kinds, signal);
    return { crawl: await ask(admin, params.source, body.what) };
  }),
];
