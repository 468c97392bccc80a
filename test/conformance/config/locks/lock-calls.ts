import { addTimerLockForJob } from '../../../../src/protocols/config/locks/add-timer-lock-for-job.ts';
import { deleteTimerLockForJob } from '../../../../src/protocols/config/locks/delete-timer-lock-for-job.ts';
import type { TestClient } from '../../../support/client.ts';
import { guid } from '../farm.ts';
import { given, told } from '../told.ts';

export const minute = 60_000;
export const serverX = guid('f0', 1);
export const serverY = guid('f0', 2);
export const job = guid('b0', 1);

/** The Lock Status Type and the server whose expired lock was overtaken. */
export type Granted = readonly [status: number, expired: string | null];

/** Asks for a lock; fails unless the code is 0. */
export async function ask(client: TestClient, server: string, minutes: number | null, of = job): Promise<Granted> {
  const answer = await client.call(addTimerLockForJob, {
    JobId: of,
    ServerId: server,
    LockTimeout: minutes,
    // What comes in must play no part in what goes out.
    LockStatus: 77,
    LockExpiredServerId: guid('ee', 77),
  });
  const [code, ...sets] = told(answer);
  if (code !== 0 || sets.length > 0) throw new Error(`proc_AddTimerLockForJob returned ${code}`);
  const expired = given(answer, 'LockExpiredServerId');
  return [Number(given(answer, 'LockStatus')), expired === null ? null : String(expired)];
}

/** Deletes a lock, or marks it, and returns the code. */
export async function release(client: TestClient, server: string | null, MarkOnly?: boolean | null, of = job) {
  const more = MarkOnly === undefined ? {} : { MarkOnly };
  return told(await client.call(deleteTimerLockForJob, { JobId: of, ServerId: server, ...more }));
}
