import type { Command } from '../command.ts';
import { withServer } from '../place.ts';
import { cancel as cancelJob, jobFlags, jobNamed, statusOf } from './databases.ts';

export const cancel: Command = {
  name: 'job cancel',
  args: ['ID'],
  summary: 'Cancels a job: what is not begun is not worked on any more.',
  flags: jobFlags,
  settings: ['all'],
  run: (invocation) =>
    withServer(invocation, async (server) => {
      const { flags, world } = invocation;
      const job = await jobNamed(server, invocation);
      await cancelJob(job);
      const counts = await statusOf(job);
      world.stdout.write(
        flags.has('json')
          ? `${JSON.stringify({ job: String(job.JobId), database: job.name, counts })}\n`
          : `Job ${job.JobId} is cancelled: ${counts?.Succeeded ?? 0} of ${counts?.Total ?? 0} items were done.\n`,
      );
    }),
};
