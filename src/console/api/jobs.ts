import { route } from './declare.ts';
import { array, boolean, type Infer, integer, moment, nullable, object, oneOf, optional, text } from './schema.ts';

/** The state of a job, in words. */
export const jobStates = ['not submitted', 'waiting', 'in progress', 'done', 'cancelled', 'empty'] as const;

/** The state of an item, in words. */
export const itemStates = ['not submitted', 'waiting', 'in progress', 'succeeded', 'failed', 'cancelled'] as const;

/** The counts of a job's items; large jobs are counted in the background, and `at` is the time of the count. */
const counts = object({
  total: integer(),
  succeeded: integer(),
  failed: integer(),
  inProgress: integer(),
  waiting: integer(),
  at: moment(),
});

const jobShape = {
  /** Newer jobs have greater numbers: what pages are continued by. */
  number: text(),
  id: text(),
  name: nullable(text()),
  partition: nullable(text()),
  state: oneOf(...jobStates),
  created: moment(),
  cancelled: nullable(moment()),
  submitted: boolean(),
  /** Items that were ever added. */
  items: integer(),
  /** Items that have not ended; null where there are more than 1000, which are counted beside. */
  open: nullable(integer()),
  runningSince: nullable(moment()),
  counts: nullable(counts),
};

const job = object(jobShape);

const base = '/api/v1/jobs' as const;
const ofDatabase = { database: text(128) };
const ofJob = { ...ofDatabase, job: text(20) };

export const jobDatabases = route({
  method: 'GET',
  path: base,
  role: 'reader',
  summary: 'The databases that hold jobs, which protocol each speaks, and whether the login may act there.',
  output: object({
    databases: array(object({ name: text(), kind: oneOf('translation', 'word', 'word2'), mayAct: boolean() })),
  }),
});

export const listJobs = route({
  method: 'GET',
  live: 5_000,
  path: `${base}/:database`,
  role: 'reader',
  summary: 'Jobs, the newest first, a page at a time: of a state, of a partition, whose name contains a text.',
  params: ofDatabase,
  query: {
    state: optional(oneOf(...jobStates)),
    partition: optional(text(36)),
    search: optional(text(200)),
    after: optional(text(20)),
    limit: optional(integer(1, 200)),
  },
  output: object({
    jobs: array(job),
    next: nullable(text()),
    /** True if the first waiting one waits because there is no worker. */
    lacksWorker: boolean(),
  }),
});

export const showJob = route({
  method: 'GET',
  live: 3_000,
  path: `${base}/:database/:job`,
  role: 'reader',
  summary: 'One job, with its items counted by state.',
  params: ofJob,
  output: object({
    ...jobShape,
    kind: text(),
    settings: nullable(text()),
    counting: boolean(),
    /** Why the first of its unfinished items waits; null if none does. */
    why: nullable(text()),
    /** True if it waits because there is no worker that would take its items. */
    lacksWorker: boolean(),
  }),
});

export const listGroups = route({
  method: 'GET',
  path: `${base}/:database/:job/groups`,
  role: 'reader',
  summary: 'The groups of a job, a page at a time.',
  params: ofJob,
  query: { after: optional(integer(-32768, 32767)) },
  output: object({
    groups: array(object({ id: integer(), inputRoot: nullable(text()), outputRoot: nullable(text()) })),
    next: nullable(integer()),
  }),
});

const item = object({
  id: integer(),
  state: oneOf(...itemStates),
  input: text(),
  output: nullable(text()),
  started: nullable(moment()),
  stopped: nullable(moment()),
  attemptsLeft: integer(),
  worker: nullable(text()),
  errorCode: nullable(integer()),
  /** Why it waits, or what it failed with; null for one that succeeded. */
  why: nullable(text()),
});

export const listItems = route({
  method: 'GET',
  live: 5_000,
  path: `${base}/:database/:job/groups/:group/items`,
  role: 'reader',
  summary: 'Items of a group by identifier, starting from one, with the reason why waiting items wait.',
  params: { ...ofJob, group: integer(-32768, 32767) },
  query: {
    state: optional(oneOf(...itemStates)),
    after: optional(integer()),
    before: optional(integer()),
    limit: optional(integer(1, 500)),
  },
  output: object({
    items: array(item),
    previous: nullable(integer()),
    next: nullable(integer()),
    /** True if the job is cancelled, and none of its items can be retried. */
    isCancelled: boolean(),
  }),
});

const used = object({
  partition: nullable(text()),
  used: integer(),
  limit: nullable(integer()),
  left: nullable(integer()),
  /** When items fall out of the last 24 hours, and how many. */
  resets: array(object({ at: moment(), items: integer() })),
});

export const showLimits = route({
  method: 'GET',
  live: 10_000,
  path: `${base}/:database/limits/today`,
  role: 'reader',
  summary: 'Items of the last 24 hours in total and by partition, the latest limits, and when items leave the window.',
  params: ofDatabase,
  output: object({ counted: boolean(), all: used, partitions: array(used) }),
});

export const submitJob = route({
  method: 'POST',
  path: `${base}/:database/:job/submit`,
  role: 'writer',
  summary: 'Submits a job, so that its items may be worked on.',
  params: ofJob,
  output: object({ done: boolean() }),
});

export const cancelJob = route({
  method: 'POST',
  path: `${base}/:database/:job/cancel`,
  role: 'writer',
  summary: 'Cancels a job: no more of its items are handed out.',
  params: ofJob,
  output: object({ done: boolean() }),
});

export const tryJobAgain = route({
  method: 'POST',
  path: `${base}/:database/:job/try-again`,
  role: 'writer',
  summary: 'Returns failed items of a job to the queue: all, those of a group, or one.',
  params: ofJob,
  body: object({ group: optional(integer(-32768, 32767)), item: optional(integer()) }),
  output: object({ items: integer() }),
});

export type Job = Infer<typeof job>;
export type Item = Infer<typeof item>;
export type Counts = Infer<typeof counts>;
export type Used = Infer<typeof used>;
