import type { Row } from '../../../base/stored.ts';
import type { Client } from '../../../client/client.ts';
import { orNull } from '../../../procedure/declare.ts';
import { failureText } from '../../../protocols/jobs/failure-text.ts';
import { datetime, int, nvarchar, smallint, tinyint, uniqueidentifier } from '../../../tds/types/index.ts';
import type { Item, itemStates } from '../../api/jobs.ts';
import { notFound } from '../../refusal.ts';
import { isoOf } from '../values.ts';

const columns = {
  ItemId: int,
  StartTime: orNull(datetime),
  StopTime: orNull(datetime),
  AttemptsRemaining: tinyint,
  WorkerServerInstance: orNull(uniqueidentifier),
  ErrorCode: orNull(int),
  InputFile: nvarchar('max'),
  OutputFile: orNull(nvarchar('max')),
  LastMessage: orNull(nvarchar(1000)),
};

/** The requested items of a group. */
interface Wanted {
  /** The number of the job (JobProgress.Number), which its items hang on. */
  readonly number: bigint;
  readonly group: number;
  /** What the items have in common (`conditionOf`). */
  readonly condition?: string | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Items of a group by the key: nothing before the page is read. */
export async function itemsOf(
  client: Pick<Client, 'select'>,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Row<typeof columns>[]> {
  const { number, group, condition, after, before, limit } = wanted;
  const backwards = before !== undefined;
  const where = ['JobNumber = @number', 'GroupId = @group'];
  if (after !== undefined) where.push('ItemId > @after');
  if (backwards) where.push('ItemId < @before');
  if (condition !== undefined) where.push(condition);
  const rows = await client.select(
    columns,
    `select top (@limit) ${Object.keys(columns).join(', ')} from Items
     where ${where.join(' and ')} order by ItemId ${backwards ? 'desc' : ''}`,
    {
      number,
      group,
      limit,
      ...(after === undefined ? {} : { after }),
      ...(before === undefined ? {} : { before }),
    },
    { signal, idempotent: true },
  );
  return rows;
}

/** The state of a job, as far as its items depend on it. */
interface OfJob {
  readonly Submitted: boolean;
  readonly CancelTime: Date | null;
}

type ItemState = (typeof itemStates)[number];

/** What holds all items of a job that have not ended. */
function holdsAll({ CancelTime, Submitted }: OfJob): ItemState | undefined {
  if (CancelTime !== null) return 'cancelled';
  return Submitted ? undefined : 'not submitted';
}

function stateOf({ StartTime, StopTime, ErrorCode }: Row<typeof columns>, job: OfJob): ItemState {
  if (StopTime !== null) return ErrorCode === null ? 'succeeded' : 'failed';
  return holdsAll(job) ?? (StartTime === null ? 'waiting' : 'in progress');
}

/** What the items of a job that are in a state have in common: `stateOf` in T-SQL. */
export function conditionOf(state: ItemState, job: OfJob): string {
  if (state === 'succeeded') return 'StopTime is not null and ErrorCode is null';
  if (state === 'failed') return 'StopTime is not null and ErrorCode is not null';
  const held = holdsAll(job);
  if (held === state) return 'StopTime is null';
  if (held !== undefined || (state !== 'waiting' && state !== 'in progress')) return '1 = 0';
  return `StopTime is null and StartTime is ${state === 'waiting' ? '' : 'not '}null`;
}

/** An item in the form of the interface. */
export const toldItem = (row: Row<typeof columns>, job: OfJob, why: ReadonlyMap<number, string>): Item => ({
  id: row.ItemId,
  state: stateOf(row, job),
  input: row.InputFile,
  output: row.OutputFile,
  started: isoOf(row.StartTime),
  stopped: isoOf(row.StopTime),
  attemptsLeft: row.AttemptsRemaining,
  worker: row.WorkerServerInstance,
  errorCode: row.ErrorCode,
  why: why.get(row.ItemId) ?? (row.ErrorCode === null ? null : failureText(row.ErrorCode, row.LastMessage)),
});

/** Why items of a group wait, from the first that is shown to the last. */
export async function whyWait(
  client: Client,
  job: bigint,
  group: number,
  rows: readonly Row<typeof columns>[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const open = rows.filter(({ StopTime }) => StopTime === null).map(({ ItemId }) => ItemId);
  if (open.length === 0) return new Map();
  const given = { job, group, after: Math.min(...open) - 1, most: open.length };
  const { sets } = await client.query(
    'exec granary.WhyItemsWait @JobId = @job, @GroupId = @group, @AfterItem = @after, @Most = @most',
    given,
    { signal },
  );
  return new Map((sets[0] ?? []).map((row) => [Number(row['ItemId']), String(row['Reason'])]));
}

const groupColumns = {
  GroupId: smallint,
  InputRoot: orNull(nvarchar('max')),
  OutputRoot: orNull(nvarchar('max')),
};

/** The groups of a job, from one on. */
export const groupsOf = (
  client: Client,
  number: bigint,
  after: number | undefined,
  limit: number,
  signal: AbortSignal,
) =>
  client.select(
    groupColumns,
    `select top (@limit) GroupId, InputRoot, OutputRoot from Groups
     where JobNumber = @number ${after === undefined ? '' : 'and GroupId > @after'} order by GroupId`,
    { number, limit, ...(after === undefined ? {} : { after }) },
    { signal, idempotent: true },
  );

/** Refuses a group that its job does not have, as opposed to one without items. */
export async function checkGroup(
  client: Client,
  { Number: number, JobId }: { readonly Number: bigint; readonly JobId: bigint },
  group: number,
  signal: AbortSignal,
): Promise<void> {
  const [found] = await groupsOf(client, number, group - 1, 1, signal);
  if (found?.GroupId !== group) throw notFound(`Job ${JobId} in ${client.databaseName} has no group ${group}.`);
}
