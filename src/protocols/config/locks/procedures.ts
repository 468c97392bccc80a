import type { AnyProcedure } from '../../../procedure/declare.ts';
import { addTimerLockForJob } from './add-timer-lock-for-job.ts';
import { deleteAllMarkedTimerLocks } from './delete-all-marked-timer-locks.ts';
import { deleteAllTimerLocksAndRunningJobs } from './delete-all-timer-locks-and-running-jobs.ts';
import { deleteTimerLockForJob } from './delete-timer-lock-for-job.ts';
import { getTimerLock } from './get-timer-lock.ts';
import { refreshAllTimerLocks } from './refresh-all-timer-locks.ts';

/** Locks: a job definition's and a content database's, each held by one server at a time. */
export const lockProcedures: readonly AnyProcedure[] = [
  addTimerLockForJob,
  deleteAllMarkedTimerLocks,
  deleteAllTimerLocksAndRunningJobs,
  deleteTimerLockForJob,
  getTimerLock,
  refreshAllTimerLocks,
];
