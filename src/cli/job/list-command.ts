import { orNull } from '../../procedure/declare.ts';
import { jobState, mostCounted } from '../../protocols/jobs/progress.ts';
import { bigint, datetime, int, nvarchar } from '../../tds/types/index.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { withServer } from '../place.ts';
import { jobDatabases, jobFlags } from './databases.ts';

const listed = {
  JobId: bigint,
  Name: orNull(nvarchar('max')),
  CreateTime: datetime,
  State: int,
  Items: bigint,
  OpenItems: int,
  FailedItems: int,
};

const words: Readonly<Record<number, string>> = {
  [jobState.notSubmitted]: 'not submitted',
  [jobState.waiting]: 'waiting',
  [jobState.inProgress]: 'in progress',
  [jobState.done]: 'done',
  [jobState.cancelled]: 'cancelled',
  [jobState.empty]: 'empty',
};

/** A number that the server has counted up to a limit. */
const counted = (count: number): string => (count > mostCounted ? `over ${mostCounted}` : String(count));

export const list: Command = {
  name: 'job list',
  args: [],
  summary: 'Lists the jobs, newest first.',
  flags: { count: { placeholder: 'NUMBER', help: 'The maximum number of jobs. Default: 50.' }, ...jobFlags },
  settings: ['all'],
  run: (invocation) =>
    withServer(invocation, async (server) => {
      const { flags, world } = invocation;
      const most = Number(flags.get('count') ?? '50');
      if (!Number.isInteger(most) || most < 1 || most > 10_000)
        throw new UsageError('--count must be between 1 and 10000.');
      const jobs = [];
      for (const { name, kind, client } of await jobDatabases(server, invocation)) {
        const rows = await client.select(
          listed,
          `select top (@most) JobId, Name, CreateTime, State, Items, OpenItems, FailedItems
           from JobProgress
           order by CreateTime desc, JobId desc`,
          { most },
          { idempotent: true },
        );
        jobs.push(...rows.map((row) => ({ database: name, kind, ...row })));
      }
      const shown = jobs
        .sort((one, other) => other.CreateTime.getTime() - one.CreateTime.getTime())
        .slice(0, most)
        .map(({ JobId, Name, CreateTime, State, Items, OpenItems, FailedItems, ...where }) => ({
          job: String(JobId),
          ...where,
          name: Name,
          created: CreateTime,
          state: words[State] ?? String(State),
          items: Number(Items),
          open: OpenItems,
          failed: FailedItems,
        }));
      world.stdout.write(
        flags.has('json')
          ? `${JSON.stringify(shown)}\n`
          : columns(
              ['job', 'database', 'name', 'created', 'state', 'items', 'open'],
              shown.map(({ job, database, name, created, state, items, open, failed }) => [
                job,
                database,
                name ?? '',
                created.toISOString(),
                failed === 0 ? state : `${state}, ${counted(failed)} failed`,
                String(items),
                counted(open),
              ]),
            ),
      );
    }),
};
