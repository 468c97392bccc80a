import { route } from './declare.ts';
import {
  array,
  boolean,
  type Infer,
  integer,
  moment,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  text,
} from './schema.ts';

const base = '/api/v1/search' as const;
const ofDatabase = { database: text(128) };
const ofSource = { ...ofDatabase, source: integer(0) };

const crawl = object({
  id: integer(),
  source: object({ id: integer(), name: text() }),
  type: text(),
  project: text(),
  /** Its stage, in words. */
  stands: text(),
  since: nullable(moment()),
  /** Who has to do what before it goes on, and which components that are. */
  waitsFor: nullable(text()),
  components: nullable(text()),
  started: nullable(moment()),
  ended: nullable(moment()),
  crawled: integer(),
  notModified: integer(),
  warnings: integer(),
  errors: integer(),
  retries: integer(),
  deleted: integer(),
  queued: integer(),
  /** What it was asked for and nobody has begun. */
  asked: nullable(text()),
  /** The requests that it accepts in its state. */
  heeds: array(oneOf('pause', 'resume', 'stop')),
  /** Whether it waits to be allowed to delete what it has not reached. */
  isHeld: boolean(),
  isOver: boolean(),
});

/** What a crawl would delete, and whether it waits to be allowed to. */
const unvisited = object({
  documents: integer(),
  unvisited: integer(),
  urls: array(text()),
  isHeld: boolean(),
});

const component = object({
  number: integer(),
  store: integer(),
  isDisabled: boolean(),
  isMaster: boolean(),
  seen: nullable(moment()),
});

export const searchDatabases = route({
  method: 'GET',
  path: base,
  role: 'reader',
  summary: 'The search administration databases, and those of the Foundation role, which hold everything.',
  output: object({ databases: array(object({ name: text(), mayAct: boolean() })) }),
});

const source = object({
  id: integer(),
  name: text(),
  startAddresses: array(text()),
  /** Its running crawl, or the last one. */
  crawl: nullable(crawl),
  held: nullable(unvisited),
});

export const showSearch = route({
  method: 'GET',
  live: 3_000,
  path: `${base}/:database`,
  role: 'reader',
  summary: 'Content sources with their crawls, components and stores.',
  params: ofDatabase,
  output: object({
    sources: array(source),
    /** False if no crawl component is running: crawls make no progress. */
    isAttended: boolean(),
    components: array(component),
    stores: array(object({ name: text(), documents: integer() })),
  }),
});

export const listCrawls = route({
  method: 'GET',
  live: 5_000,
  path: `${base}/:database/crawls`,
  role: 'reader',
  summary: 'Crawls, the last first: of one content source or of all.',
  params: ofDatabase,
  query: { source: optional(integer(0)), before: optional(integer(0)) },
  output: object({
    crawls: array(crawl),
    next: nullable(integer()),
    /** False if no crawl component is running: crawls make no progress. */
    isAttended: boolean(),
  }),
});

export const showCrawl = route({
  method: 'GET',
  live: 2_000,
  path: `${base}/:database/crawls/:crawl`,
  role: 'reader',
  summary: 'The progress of a crawl, what it waits for, what it would delete, and its speed in the last hour.',
  params: { ...ofDatabase, crawl: integer(0) },
  output: object({
    crawl,
    isAttended: boolean(),
    held: nullable(unvisited),
    rates: array(object({ at: moment(), perSecond: number() })),
  }),
});

const failure = object({
  url: nullable(text()),
  /** True if it was crawled, but not completely. */
  isWarning: boolean(),
  cause: text(),
  description: nullable(text()),
  times: integer(),
  since: nullable(moment()),
});

export const listErrors = route({
  method: 'GET',
  path: `${base}/:database/sources/:source/errors`,
  role: 'reader',
  summary:
    'Documents of a content source that cannot be crawled: how many by cause, and the first of them, or of one cause.',
  params: ofSource,
  query: { after: optional(integer(0)), cause: optional(text(100)) },
  output: object({ source: text(), byCause: record(integer()), failures: array(failure), next: nullable(integer()) }),
});

const link = object({ url: nullable(text()), text: nullable(text()) });

const known = object({
  url: text(),
  source: text(),
  isInRules: boolean(),
  title: nullable(text()),
  visited: nullable(moment()),
  crawl: nullable(integer()),
  isFound: boolean(),
  /** Why it cannot be found, if it was visited without an error. */
  because: nullable(text()),
  isBeingDeleted: boolean(),
  wasDeleted: boolean(),
  queuedIn: array(integer()),
  error: nullable(
    object({ cause: text(), description: nullable(text()), times: integer(), since: nullable(moment()) }),
  ),
  warning: nullable(object({ cause: text(), description: nullable(text()) })),
  deletedAfter: nullable(object({ moreErrors: integer(), notBefore: nullable(moment()) })),
  linkedFrom: array(link),
  linksTo: array(link),
});

export const showUrl = route({
  method: 'GET',
  path: `${base}/:database/url`,
  role: 'reader',
  summary:
    'Everything known about one URL: its visits, its errors, links to and from it, and when it would be deleted.',
  params: ofDatabase,
  query: { url: text(1500) },
  output: object({ url: text(), known: array(known) }),
});

export const findDocuments = route({
  method: 'GET',
  path: `${base}/:database/find`,
  role: 'reader',
  summary: 'Finds crawled documents by words: "phrases", -not, property:value, wor*.',
  params: ofDatabase,
  query: { text: text(1000), first: optional(integer(1, 1000)) },
  output: object({
    total: integer(),
    found: array(
      object({ place: integer(), title: text(), url: text(), snippet: text(), indexed: nullable(moment()) }),
    ),
  }),
});

export const startCrawl = route({
  method: 'POST',
  path: `${base}/:database/sources/:source/start`,
  role: 'writer',
  summary: 'Requests a crawl of a content source; running components execute it.',
  params: ofSource,
  body: object({ kind: oneOf('full', 'incremental', 'delete') }),
  output: object({ crawl: integer() }),
});

export const askOfCrawl = route({
  method: 'POST',
  path: `${base}/:database/sources/:source/ask`,
  role: 'writer',
  summary: 'Pauses, resumes or stops the crawl of a content source, or allows it to delete what it has not reached.',
  params: ofSource,
  body: object({ what: oneOf('pause', 'resume', 'stop', 'delete unvisited') }),
  output: object({ crawl: integer() }),
});

export type Crawl = Infer<typeof crawl>;
export type Source = Infer<typeof source>;
export type Known = Infer<typeof known>;
