import { SqlError } from '../../base/messages/sql-error.ts';
import { wordClaims } from '../../protocols/word/claims.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { OperatorError } from '../errors.ts';
import { withServer } from '../place.ts';
import { findJob, type JobDatabase, jobDatabases, jobFlags, jobIdOf } from './databases.ts';

export const why: Command = {
  name: 'job why',
  args: ['ID'],
  summary: 'Explains for each unfinished item of a job why it is waiting.',
  flags: jobFlags,
  settings: ['all'],
  run: (invocation) =>
    withServer(invocation, async (server) => {
      const { flags, world, args } = invocation;
      const JobId = jobIdOf(args[0] ?? '');
      const databases = await jobDatabases(server, invocation);
      const job = await findJob(databases, JobId);
      // One that a daily limit refused was never added, and is known all the same.
      const places = job === undefined ? databases : [job];
      const items = (await Promise.all(places.map((place) => reasonsIn(place, JobId)))).flat();
      if (job === undefined && items.length === 0) {
        throw new OperatorError(`There is no job ${JobId} in ${databases.map(({ name }) => name).join(', ')}.`);
      }
      if (flags.has('json')) world.stdout.write(`${JSON.stringify(items)}\n`);
      else if (items.length === 0) world.stdout.write(`No item of job ${JobId} is waiting.\n`);
      else {
        const rows = items.map(({ GroupId, ItemId, InputFile, Reason }) => [
          ItemId === null ? '' : `${GroupId}/${ItemId}`,
          InputFile ?? '',
          Reason,
        ]);
        world.stdout.write(columns(['item', 'input', 'why'], rows));
      }
    }),
};

async function reasonsIn({ client, name }: JobDatabase, JobId: bigint) {
  const { sets } = await client.call(wordClaims.whyItemsWait, { JobId }).catch((error: unknown) => {
    const isUnknown = error instanceof SqlError && error.number === 2812;
    throw isUnknown ? new OperatorError(`The server of ${name} cannot tell: it is not a Granary server.`) : error;
  });
  // A bigint has no form in JSON.
  return sets.Items.map(({ Ahead, ...item }) => ({ ...item, Ahead: Ahead === null ? null : Number(Ahead) }));
}
