import type { AnyProcedure } from '../../../procedure/declare.ts';
import { addTimerJobHistory } from './add-timer-job-history.ts';
import { addTimerTargetInstance } from './add-timer-target-instance.ts';
import { completeTimerRunningJob } from './complete-timer-running-job.ts';
import { deleteOldTimerJobHistory } from './delete-old-timer-job-history.ts';
import { deleteScheduledJob } from './delete-scheduled-job.ts';
import { deleteTimerRunningJobs } from './delete-timer-running-jobs.ts';
import { deleteTimerTargetInstance } from './delete-timer-target-instance.ts';
import { deleteTimerTargetInstances } from './delete-timer-target-instances.ts';
import { getTimerJobHistory } from './get-timer-job-history.ts';
import { getTimerJobLastRunTime } from './get-timer-job-last-run-time.ts';
import { getTimerRunningJobs } from './get-timer-running-jobs.ts';
import { getTimerScheduledJobs } from './get-timer-scheduled-jobs.ts';
import { getTimerTargetInstance } from './get-timer-target-instance.ts';
import { getTimerTargetInstanceState } from './get-timer-target-instance-state.ts';
import { scheduleTimerJob } from './schedule-timer-job.ts';
import { startTimerRunningJob } from './start-timer-running-job.ts';
import { updateTimerRunningJobProgress } from './update-timer-running-job-progress.ts';
import { updateTimerRunningJobStatus } from './update-timer-running-job-status.ts';
import { updateTimerRunningJobTarget } from './update-timer-running-job-target.ts';
import { updateTimerTargetInstanceState } from './update-timer-target-instance-state.ts';

/** Timer jobs: their targets, schedules, running instances and history. */
export const timerJobProcedures: readonly AnyProcedure[] = [
  addTimerJobHistory,
  addTimerTargetInstance,
  completeTimerRunningJob,
  deleteOldTimerJobHistory,
  deleteScheduledJob,
  deleteTimerRunningJobs,
  deleteTimerTargetInstance,
  deleteTimerTargetInstances,
  getTimerJobHistory,
  getTimerJobLastRunTime,
  getTimerRunningJobs,
  getTimerScheduledJobs,
  getTimerTargetInstanceState,
  getTimerTargetInstance,
  scheduleTimerJob,
  startTimerRunningJob,
  updateTimerRunningJobProgress,
  updateTimerRunningJobStatus,
  updateTimerRunningJobTarget,
  updateTimerTargetInstanceState,
];
