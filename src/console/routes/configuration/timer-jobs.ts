import type { Client } from '../../../client/client.ts';
import { typed } from '../../../client/query.ts';
import { orNull } from '../../../procedure/declare.ts';
import { getTimerJobHistory } from '../../../protocols/config/timer-jobs/get-timer-job-history.ts';
import { jobStatus } from '../../../protocols/config/timer-jobs/job-status.ts';
import { bit, datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import type { Named, RunningJob, TimerLock, TimerRun } from '../../api/configuration.ts';
import { isoOf } from '../values.ts';

const minute = 60_000;
/** So many of each are listed. */
const most = 500;
/** So many runs are a page. */
export const runPage = 100;

const words = new Map<number, string>(Object.entries(jobStatus).map(([word, value]) => [value, word]));

/** A Job Status Type (2.2.2.2) in a word. */
const statusOf = (status: number | null): string => (status === null ? '' : (words.get(status) ?? `status ${status}`));

const scheduled = {
  JobId: uniqueidentifier,
  ServerId: uniqueidentifier,
  WebApplicationId: orNull(uniqueidentifier),
  StartTime: datetime,
};

const running = {
  JobId: uniqueidentifier,
  ServerId: uniqueidentifier,
  JobTitle: orNull(nvarchar(255)),
  Status: int,
  StartTime: datetime,
  CurrentTarget: int,
  TargetCount: int,
  CurrentTargetPercentDone: orNull(int),
};

const locks = {
  JobId: uniqueidentifier,
  ServerId: uniqueidentifier,
  LockTime: datetime,
  Marked: bit,
  LockTimeout: orNull(int),
};
const databaseLocks = {
  ContentDatabaseId: orNull(uniqueidentifier),
  ServerId: uniqueidentifier,
  LockTime: datetime,
  LockTimeout: orNull(int),
};

/** Names of objects by identifier, asked for together. */
export async function namesOf(
  client: Client,
  ids: Iterable<string | null>,
  signal: AbortSignal,
): Promise<(id: string) => Named> {
  const wanted = [...new Set([...ids].filter((id) => id !== null))];
  const names = new Map<string, string>();
  for (let at = 0; at < wanted.length; at += most) {
    const some = wanted.slice(at, at + most);
    const rows = await client.select(
      { Id: uniqueidentifier, Name: nvarchar(128) },
      `select Id, Name from Objects where Id in (${some.map((_, i) => `@p${i}`).join(', ')})`,
      Object.fromEntries(some.map((id, i) => [`p${i}`, typed(uniqueidentifier, id)])),
      { signal, idempotent: true },
    );
    for (const { Id, Name } of rows) names.set(Id, Name);
  }
  return (id) => ({ id, name: names.get(id) ?? null });
}

/** The expiry of a lock, by its holder's timeout, and whether it has passed. */
function lease(LockTime: Date, LockTimeout: number | null, now: Date) {
  if (LockTimeout === null) return { until: null, isLapsed: false };
  const until = new Date(LockTime.getTime() + LockTimeout * minute);
  return { until: until.toISOString(), isLapsed: until.getTime() < now.getTime() };
}

/** What is scheduled, what runs, and who holds which lock until when. */
export async function timerJobs(client: Client, now: Date, signal: AbortSignal) {
  const reading = { signal, idempotent: true };
  const all = async <C extends Parameters<Client['select']>[0]>(columns: C, from: string) =>
    client.select(columns, `select top ${most} ${Object.keys(columns).join(', ')} from ${from}`, {}, reading);
  const [planned, live, held, heldDatabases] = [
    await all(scheduled, 'TimerScheduledJobs order by StartTime, JobId, ServerId'),
    await all(running, 'TimerRunningJobs order by StartTime'),
    await all(locks, 'TimerLocks order by LockTime'),
    await all(databaseLocks, 'ContentDatabaseLocks order by LockTime'),
  ];
  const nameOf = await namesOf(
    client,
    [
      ...planned.flatMap(({ JobId, ServerId, WebApplicationId }) => [JobId, ServerId, WebApplicationId]),
      ...live.flatMap(({ JobId, ServerId }) => [JobId, ServerId]),
      ...held.flatMap(({ JobId, ServerId }) => [JobId, ServerId]),
      ...heldDatabases.flatMap(({ ContentDatabaseId, ServerId }) => [ContentDatabaseId, ServerId]),
    ],
    signal,
  );
  return {
    now: now.toISOString(),
    scheduled: planned.map(({ JobId, ServerId, WebApplicationId, StartTime }) => ({
      job: nameOf(JobId),
      server: nameOf(ServerId),
      webApplication: WebApplicationId === null ? null : nameOf(WebApplicationId),
      start: StartTime.toISOString(),
    })),
    running: live.map(({ JobId, ServerId, JobTitle, Status, StartTime, ...row }): RunningJob => {
      const named = nameOf(JobId);
      return {
        job: { ...named, name: JobTitle ?? named.name },
        server: nameOf(ServerId),
        status: statusOf(Status),
        started: StartTime.toISOString(),
        target: row.CurrentTarget,
        targets: row.TargetCount,
        done: partDone(row.CurrentTarget, row.TargetCount, row.CurrentTargetPercentDone),
      };
    }),
    locks: held.map(
      ({ JobId, ServerId, LockTime, Marked, LockTimeout }): TimerLock => ({
        job: nameOf(JobId),
        server: nameOf(ServerId),
        since: LockTime.toISOString(),
        ...lease(LockTime, LockTimeout, now),
        isGivenUp: Marked,
      }),
    ),
    databaseLocks: heldDatabases.map(({ ContentDatabaseId, ServerId, LockTime, LockTimeout }) => ({
      database: ContentDatabaseId === null ? null : nameOf(ContentDatabaseId),
      server: nameOf(ServerId),
      since: LockTime.toISOString(),
      ...lease(LockTime, LockTimeout, now),
    })),
  };
}

/** How much of the whole is done, in percent: targets before the present one, and its own part. */
function partDone(target: number, targets: number, percent: number | null): number | null {
  if (targets <= 0) return percent;
  const before = Math.min(Math.max(target, 0), targets);
  return Math.min(100, ((before + (percent ?? 0) / 100) / targets) * 100);
}

/** Runs that are over, the last first, one more than a page has. */
export async function timerHistory(
  client: Client,
  job: string | undefined,
  before: bigint | undefined,
  signal: AbortSignal,
): Promise<TimerRun[]> {
  const { sets } = await client.call(
    getTimerJobHistory,
    {
      ServiceId: null,
      WebApplicationId: null,
      ServerId: null,
      JobId: job ?? null,
      MaximumId: before === undefined ? null : before - 1n,
      MinimumId: null,
      MaximumRows: runPage + 1,
    },
    { signal },
  );
  return sets.history.map((row) => ({
    id: String(row.Id),
    job: row.JobId,
    title: row.JobTitle,
    server: row.ServerName,
    webApplication: row.WebApplicationName,
    status: statusOf(row.Status),
    started: isoOf(row.StartTime),
    ended: isoOf(row.EndTime),
    seconds:
      row.StartTime === null || row.EndTime === null ? null : (row.EndTime.getTime() - row.StartTime.getTime()) / 1000,
    error: row.ErrorMessage,
  }));
}
