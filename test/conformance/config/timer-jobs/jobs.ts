import type { CallInput } from '../../../../src/procedure/declare.ts';
import { addTimerJobHistory } from '../../../../src/protocols/config/timer-jobs/add-timer-job-history.ts';
import { getTimerRunningJobs } from '../../../../src/protocols/config/timer-jobs/get-timer-running-jobs.ts';
import { startTimerRunningJob } from '../../../../src/protocols/config/timer-jobs/start-timer-running-job.ts';
import type { TestClient } from '../../../support/client.ts';
import { guid } from '../farm.ts';
import { given, told } from '../told.ts';

export const service = guid('5e', 1);
export const webApplication = guid('a0', 1);
export const job = guid('b0', 1);
export const otherJob = guid('b0', 2);
/** A job definition that is never stored. */
export const noJob = guid('b0', 255);
export const serverX = guid('f0', 1);
export const serverY = guid('f0', 2);

/** The identifiers of an instance of the job on a server. */
export const instance = (ServerId: string, JobId = job) => ({
  ServiceId: service,
  VirtualServerId: webApplication,
  JobId,
  ServerId,
});

/** Starts an instance and returns the code and @CurrentTarget. */
export async function start(
  client: TestClient,
  more: Partial<CallInput<(typeof startTimerRunningJob)['params']>> = {},
): Promise<unknown[]> {
  const answer = await client.call(startTimerRunningJob, {
    ...instance(serverX),
    JobTitle: 'Nightly',
    TargetCount: 2,
    ...more,
  });
  return [...told(answer), given(answer, 'CurrentTarget')];
}

/** A running instance by the names of its columns. */
export interface Running {
  readonly job: unknown;
  readonly server: unknown;
  readonly status: unknown;
  readonly current: unknown;
  readonly count: unknown;
  readonly percent: unknown;
}

/** The running instances that a filter finds, by job and server. */
export async function running(
  client: TestClient,
  filter: Partial<CallInput<(typeof getTimerRunningJobs)['params']>> = {},
): Promise<Running[]> {
  const none = { ServiceId: null, WebApplicationId: null, ServerId: null, JobId: null };
  const { sets } = await client.call(getTimerRunningJobs, { ...none, ...filter });
  return (sets[0] ?? [])
    .map((row) => ({
      job: String(row['JobId']).toLowerCase(),
      server: String(row['ServerId']).toLowerCase(),
      status: row['Status'],
      current: row['CurrentTarget'],
      count: row['TargetCount'],
      percent: row['CurrentTargetPercentDone'],
    }))
    .sort((a, b) => (a.job + a.server < b.job + b.server ? -1 : 1));
}

/** Adds a history entry; what is not given is that of a successful run of the job. */
export function addHistory(client: TestClient, more: Partial<CallInput<(typeof addTimerJobHistory)['params']>> = {}) {
  return client.call(addTimerJobHistory, {
    ServiceId: service,
    WebApplicationId: webApplication,
    WebApplicationName: 'Portal',
    JobId: job,
    JobTitle: 'Nightly',
    ServerId: serverX,
    ServerName: 'WFE1',
    Status: 2,
    StartTime: new Date('2010-12-17T02:00:00Z'),
    EndTime: new Date('2010-12-17T02:03:00Z'),
    DatabaseName: null,
    ErrorMessage: null,
    ...more,
  });
}
