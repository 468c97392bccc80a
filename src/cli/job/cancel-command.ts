import type { Command } from '../command.ts';
import { answer } from '../json-flag.ts';
import { withServer } from '../place.ts';
import { cancel as cancelJob, jobFlags, jobNamed, statusOf } from './databases.ts';

export const cancel: Command = {
  name: 'job cancel',
  args: ['ID'],
  summary: 'Cancels a job: items that have not been started will not be.',
  flags: jobFlags,
  settings: ['all'],
  run: (invocation) =>
    withServer(invocation, async (server) => {
      const job = await jobNamed(server, invocation);
      await cancelJob(job);
      const counts = await statusOf(job);
      const done = `${counts?.Succeeded ?? 0} of ${counts?.Total ?? 0} items were done.`;
      await answer(
        invocation,
        { job: String(job.JobId), database: job.name, counts },
        () => `Job ${job.JobId} was cancelled: ${done}`,
      );
    }),
};
