import { onOneLine } from '../../base/text/without-orders.ts';
import { orNull } from '../../procedure/declare.ts';
import { getItemStates } from '../../protocols/jobs/claims/get-item-states.ts';
import { failureText } from '../../protocols/jobs/failure-text.ts';
import { bit, datetime, nvarchar } from '../../tds/types/index.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { withServer } from '../place.ts';
import { jobFlags, jobNamed, statusOf } from './databases.ts';

const described = {
  Name: orNull(nvarchar('max')),
  CreateTime: datetime,
  CancelTime: orNull(datetime),
  Submitted: bit,
  Settings: orNull(nvarchar('max')),
};

export const show: Command = {
  name: 'job show',
  args: ['ID'],
  summary: 'Shows a job and its items: what is done, what failed and with which error.',
  flags: { count: { placeholder: 'NUMBER', help: 'The maximum number of items. Default: 100.' }, ...jobFlags },
  settings: ['all'],
  run: (invocation) =>
    withServer(invocation, async (server) => {
      const { flags, world } = invocation;
      const Most = Number(flags.get('count') ?? '100');
      if (!Number.isInteger(Most) || Most < 0) throw new UsageError('--count must be a number of items.');
      const job = await jobNamed(server, invocation);
      const { client, JobId } = job;
      const [facts] = await client.select(
        described,
        'select Name, CreateTime, CancelTime, Submitted, Settings from Jobs where JobId = @JobId',
        { JobId },
      );
      const counts = await statusOf(job);
      const { sets } = await client.call(getItemStates, { JobId, Most });
      const items = sets.Items;
      if (flags.has('json')) {
        world.stdout.write(`${JSON.stringify({ job: String(JobId), database: job.name, ...facts, counts, items })}\n`);
        return;
      }
      const counted = Object.entries(counts ?? {}).map(([name, count]) => `${name} ${count}`);
      const lines = [
        `Job ${JobId} in ${job.name}${facts?.Name ? `: ${onOneLine(facts.Name)}` : ''}`,
        `  created ${facts?.CreateTime.toISOString()}, ${facts?.Submitted ? 'submitted' : 'not submitted'}${
          facts?.CancelTime ? `, cancelled ${facts.CancelTime.toISOString()}` : ''
        }`,
        `  ${counted.join(', ')}`,
        '',
      ];
      const table = columns(
        ['group', 'item', 'state', 'input', 'output', 'error'],
        items.map(({ GroupId, ItemId, State, InputFile, OutputFile, ErrorCode, Message }) => [
          String(GroupId),
          String(ItemId),
          State,
          InputFile,
          OutputFile ?? '',
          ErrorCode === null ? '' : failureText(ErrorCode, Message),
        ]),
      );
      world.stdout.write(`${lines.join('\n')}\n${table}`);
    }),
};
