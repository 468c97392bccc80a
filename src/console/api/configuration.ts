import { route } from './declare.ts';
import { array, boolean, type Infer, integer, moment, nullable, number, object, optional, text } from './schema.ts';

const base = '/api/v1/configuration' as const;
const ofDatabase = { database: text(128) };
const ofObject = { ...ofDatabase, object: text(36) };

const node = object({
  id: text(),
  name: text(),
  class: text(),
  status: nullable(integer()),
  version: text(),
  /** When this version was stored, as its number tells. */
  stored: moment(),
  hasChildren: boolean(),
});

const named = object({ id: text(), name: nullable(text()) });

export const configurationDatabases = route({
  method: 'GET',
  path: base,
  role: 'reader',
  summary: 'The configuration databases.',
  output: object({ databases: array(object({ name: text() })) }),
});

export const listObjects = route({
  method: 'GET',
  path: `${base}/:database/objects`,
  role: 'reader',
  summary: 'The objects below a parent by name, or the roots; or all whose name contains a text.',
  params: ofDatabase,
  query: {
    parent: optional(text(36)),
    search: optional(text(128)),
    afterName: optional(text(128)),
    afterId: optional(text(36)),
  },
  output: object({ objects: array(node), more: boolean() }),
});

export const showObject = route({
  method: 'GET',
  path: `${base}/:database/objects/:object`,
  role: 'reader',
  summary: 'One object: its place in the tree, content, dependencies and known earlier versions.',
  params: ofObject,
  output: object({
    object: node,
    classId: text(),
    path: array(named),
    properties: text(),
    versions: array(object({ version: text(), stored: moment(), replaced: moment() })),
    dependsOn: array(named),
    neededBy: array(named),
    fileLength: nullable(integer()),
  }),
});

export const showVersion = route({
  method: 'GET',
  path: `${base}/:database/objects/:object/versions/:version`,
  role: 'reader',
  summary: 'The content of an object in a known earlier version.',
  params: { ...ofObject, version: text(20) },
  output: object({ version: text(), properties: text() }),
});

export const listChanges = route({
  method: 'GET',
  live: 10_000,
  path: `${base}/:database/changes`,
  role: 'reader',
  summary: 'Objects by when they were stored or removed, the last first.',
  params: ofDatabase,
  query: { before: optional(text(20)) },
  output: object({
    changes: array(
      object({
        version: text(),
        stored: moment(),
        id: text(),
        removed: boolean(),
        name: nullable(text()),
        class: nullable(text()),
      }),
    ),
    next: nullable(text()),
  }),
});

export const listFiles = route({
  method: 'GET',
  path: `${base}/:database/files`,
  role: 'reader',
  summary: 'The files that the database holds, each with the object that it belongs to.',
  params: ofDatabase,
  query: { after: optional(text(36)) },
  output: object({
    files: array(object({ id: text(), name: nullable(text()), length: integer() })),
    next: nullable(text()),
  }),
});

export const downloadFile = route({
  method: 'GET',
  path: `${base}/:database/files/:object`,
  role: 'reader',
  summary: 'A file.',
  params: ofObject,
  download: true,
});

const lock = object({
  job: named,
  server: named,
  since: moment(),
  /** When it would lapse, by the timeout that its holder named; null where it named none. */
  until: nullable(moment()),
  isLapsed: boolean(),
  isGivenUp: boolean(),
});

const running = object({
  job: named,
  server: named,
  status: text(),
  started: moment(),
  target: integer(),
  targets: integer(),
  /** Of the whole, in percent; null where nothing is said. */
  done: nullable(number()),
});

export const listTimerJobs = route({
  method: 'GET',
  live: 3_000,
  path: `${base}/:database/timer-jobs`,
  role: 'reader',
  summary: 'Timer jobs: the schedule, running jobs with their progress, and locks with holder and expiry.',
  params: ofDatabase,
  output: object({
    now: moment(),
    scheduled: array(object({ job: named, server: named, webApplication: nullable(named), start: moment() })),
    running: array(running),
    locks: array(lock),
    databaseLocks: array(
      object({
        database: nullable(named),
        server: named,
        since: moment(),
        until: nullable(moment()),
        isLapsed: boolean(),
      }),
    ),
  }),
});

const run = object({
  id: text(),
  job: nullable(text()),
  title: nullable(text()),
  server: nullable(text()),
  webApplication: nullable(text()),
  status: text(),
  started: nullable(moment()),
  ended: nullable(moment()),
  seconds: nullable(number()),
  error: nullable(text()),
});

export const listTimerHistory = route({
  method: 'GET',
  live: 10_000,
  path: `${base}/:database/timer-history`,
  role: 'reader',
  summary: 'Runs of timer jobs, the last first: of one job or of all.',
  params: ofDatabase,
  query: { job: optional(text(36)), before: optional(text(20)) },
  output: object({ runs: array(run), next: nullable(text()) }),
});

export const listSiteContainers = route({
  method: 'GET',
  path: `${base}/:database/sites`,
  role: 'reader',
  summary: 'How many site collections each content database has in each Web application.',
  params: ofDatabase,
  output: object({
    containers: array(object({ application: named, database: named, sites: integer() })),
  }),
});

export const listSites = route({
  method: 'GET',
  path: `${base}/:database/sites/:application/:content`,
  role: 'reader',
  summary: 'The site collections of a Web application in a content database, a page at a time.',
  params: { ...ofDatabase, application: text(36), content: text(36) },
  query: { first: optional(integer(0)) },
  output: object({ sites: array(object({ id: text(), path: text() })), more: boolean() }),
});

const product = object({
  server: named,
  product: text(),
  version: text(),
  unit: nullable(text()),
  patch: nullable(text()),
  url: nullable(text()),
});

export const listProducts = route({
  method: 'GET',
  path: `${base}/:database/products`,
  role: 'reader',
  summary: 'What is installed on the servers of the farm.',
  params: ofDatabase,
  output: object({ products: array(product) }),
});

export type ObjectNode = Infer<typeof node>;
export type Named = Infer<typeof named>;
export type TimerRun = Infer<typeof run>;
export type TimerLock = Infer<typeof lock>;
export type RunningJob = Infer<typeof running>;
