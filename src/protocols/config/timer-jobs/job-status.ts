/** Job Status Type (2.2.2.2): how far a job instance has come. */
export const jobStatus = {
  scheduled: 0,
  running: 1,
  succeeded: 2,
  failed: 3,
  retrying: 4,
  aborted: 5,
  pausing: 6,
  paused: 7,
} as const;

const listed: ReadonlySet<number> = new Set(Object.values(jobStatus));

/** True for a value of the Job Status Type. */
export const isJobStatus = (value: number): boolean => listed.has(value);
