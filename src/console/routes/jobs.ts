import { fold } from '../../base/text/collation.ts';
import { orNull } from '../../procedure/declare.ts';
import { tryItemsAgain } from '../../protocols/jobs/try-items-again.ts';
import { cancelJob as cancelTranslation } from '../../protocols/translation/cancel-job.ts';
import { submitJob as submitTranslation } from '../../protocols/translation/submit-job.ts';
import { nvarchar } from '../../tds/types/index.ts';
import { type Answering, answer } from '../answer.ts';
import {
  cancelJob,
  type Job,
  jobDatabases,
  jobStates,
  listGroups,
  listItems,
  listJobs,
  showJob,
  showLimits,
  submitJob,
  tryJobAgain,
} from '../api/jobs.ts';
import { whyJobWaits } from '../jobs/why-job-waits.ts';
import { actedOn, kindOf } from './databases.ts';
import { countsOf } from './jobs/counts.ts';
import { checkGroup, conditionOf, groupsOf, itemsOf, toldItem, whyWait } from './jobs/items.ts';
import { isLarge, jobNamed, jobsLike, told } from './jobs/jobs.ts';
import { limitsOf } from './jobs/limits.ts';
import { bigintOf, guidOf, pageOf } from './values.ts';

const kinds = ['translation', 'word', 'word2'] as const;
const usualPage = 50;
const groupPage = 200;
const doneState = jobStates.indexOf('done');
const waitingState = jobStates.indexOf('waiting');
const noUsed = { partition: null, used: 0, limit: null, left: null, resets: [] };

/** Jobs, their groups and items, and what may be done with them. */
export const jobRoutes: readonly Answering[] = [
  answer(jobDatabases, async (asked) => ({ databases: await actedOn(asked, kinds) })),
  answer(listJobs, async ({ params, query, client, signal, server }) => {
    const own = client(params.database);
    const limit = query.limit ?? usualPage;
    const rows = await jobsLike(
      own,
      {
        state: query.state,
        search: query.search === '' ? undefined : query.search,
        partition: query.partition === undefined ? undefined : guidOf(query.partition, 'partition'),
        after: query.after === undefined ? undefined : bigintOf(query.after, 'after'),
        limit: limit + 1,
      },
      signal,
    );
    const { page, more } = pageOf(rows, limit);
    const book = countsOf(server);
    const jobs: Job[] = [];
    for (const row of page) {
      if (isLarge(row)) jobs.push(told(row, book.known(own, row)));
      else jobs.push(told(row, row.State === doneState ? await book.ofEnded(own, row, signal) : null));
    }
    // Workers are those of the database: what holds the one that has waited longest holds all that wait.
    const waiting = page.findLast(({ State }) => State === waitingState);
    const lacksWorker = waiting !== undefined && (await whyJobWaits(own, waiting.JobId, signal)).lacksWorker;
    return { jobs, next: more ? (jobs.at(-1)?.number ?? null) : null, lacksWorker };
  }),
  answer(showJob, async ({ params, client, signal, server }) => {
    const own = client(params.database);
    const id = bigintOf(params.job, 'job');
    // A login that may not use the database, or finds no jobs there, is refused here.
    const row = await jobNamed(own, id, signal);
    const database = (await server.kinds()).find(({ name }) => fold(name) === fold(params.database));
    const book = countsOf(server);
    const counts = await book.of(own, row, signal);
    const [kept] = await own.select(
      { Settings: orNull(nvarchar('max')) },
      'select Settings from Jobs where JobId = @id',
      { id },
      { signal, idempotent: true },
    );
    return {
      ...told(row, counts),
      kind: database?.kind ?? '',
      settings: kept?.Settings ?? null,
      counting: book.isCounting(own, row),
      ...(await whyJobWaits(own, id, signal)),
    };
  }),
  answer(listGroups, async ({ params, query, client, signal }) => {
    const own = client(params.database);
    const id = bigintOf(params.job, 'job');
    const { Number: number } = await jobNamed(own, id, signal);
    const { page, more } = pageOf(await groupsOf(own, number, query.after, groupPage + 1, signal), groupPage);
    const groups = page.map(({ GroupId, InputRoot, OutputRoot }) => ({
      id: GroupId,
      inputRoot: InputRoot,
      outputRoot: OutputRoot,
    }));
    return { groups, next: more ? (groups.at(-1)?.id ?? null) : null };
  }),
  answer(listItems, async ({ params, query, client, signal }) => {
    const own = client(params.database);
    const job = bigintOf(params.job, 'job');
    const limit = query.limit ?? 2 * usualPage;
    const { group } = params;
    const { state, after, before } = query;
    const ofJob = await jobNamed(own, job, signal);
    const condition = state && conditionOf(state, ofJob);
    const wanted = { number: ofJob.Number, group, condition, after, before, limit: limit + 1 };
    const rows = await itemsOf(own, wanted, signal);
    const { page, more } = pageOf(rows, limit);
    const shown = before === undefined ? page : page.toReversed();
    if (page.length === 0) await checkGroup(own, ofJob, group, signal);
    const why = await whyWait(own, job, group, shown, signal);
    const hasBefore = before === undefined ? after !== undefined : more;
    const hasAfter = before === undefined ? more : true;
    return {
      items: shown.map((row) => toldItem(row, ofJob, why)),
      previous: hasBefore ? (shown[0]?.ItemId ?? null) : null,
      next: hasAfter ? (shown.at(-1)?.ItemId ?? null) : null,
      isCancelled: ofJob.CancelTime !== null,
    };
  }),
  answer(showLimits, async ({ params, client, signal, server }) => {
    const own = client(params.database);
    // Only the translation service has daily limits.
    if ((await kindOf(own, kinds, signal)) !== 'translation') return { counted: false, all: noUsed, partitions: [] };
    return { counted: true, ...(await limitsOf(own, server.clock.now(), signal)) };
  }),
  // The three protocols specify both identically: the declaration of one fits all.
  answer(submitJob, async ({ params, client, signal }) => {
    const own = client(params.database);
    const JobId = bigintOf(params.job, 'job');
    await jobNamed(own, JobId, signal);
    await own.call(submitTranslation, { JobId }, { signal });
    return { done: true };
  }),
  answer(cancelJob, async ({ params, client, signal, server }) => {
    const own = client(params.database);
    const JobId = bigintOf(params.job, 'job');
    const row = await jobNamed(own, JobId, signal);
    await own.call(cancelTranslation, { JobId, PartitionId: row.PartitionId }, { signal });
    countsOf(server).forget(own, row);
    return { done: true };
  }),
  answer(tryJobAgain, async ({ params, body, client, signal, server }) => {
    const own = client(params.database);
    const JobId = bigintOf(params.job, 'job');
    const row = await jobNamed(own, JobId, signal);
    const { output } = await own.call(
      tryItemsAgain,
      { JobId, GroupId: body.group ?? null, ItemId: body.item ?? null },
      { signal },
    );
    countsOf(server).forget(own, row);
    return { items: output.Items ?? 0 };
  }),
];
