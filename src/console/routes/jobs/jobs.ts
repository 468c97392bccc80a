import type { Row } from '../../../base/stored.ts';
import type { Client } from '../../../client/client.ts';
import { typed } from '../../../client/query.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bigint, bit, datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { type Counts, type Job, jobStates } from '../../api/jobs.ts';
import { notFound } from '../../refusal.ts';
import { isoOf } from '../values.ts';

/** JobProgress counts open items up to here. */
const mostOpen = 1000;

const columns = {
  Number: bigint,
  JobId: bigint,
  PartitionId: orNull(uniqueidentifier),
  Name: orNull(nvarchar('max')),
  CreateTime: datetime,
  CancelTime: orNull(datetime),
  Submitted: bit,
  State: int,
  Items: bigint,
  OpenItems: int,
  RunningSince: orNull(datetime),
};

/** A job as read from the database. */
type JobRow = Row<typeof columns>;

const selected = Object.keys(columns).join(', ');

/** The requested jobs. */
interface Wanted {
  readonly state?: (typeof jobStates)[number] | undefined;
  readonly partition?: string | undefined;
  readonly search?: string | undefined;
  /** Only jobs with lesser numbers than this. */
  readonly after?: bigint | undefined;
  readonly limit: number;
}

/** Jobs, the newest first: read off the primary key, whatever the number of jobs and items. */
export function jobsLike(client: Pick<Client, 'select'>, wanted: Wanted, signal: AbortSignal): Promise<JobRow[]> {
  const conditions: string[] = [];
  const given: Record<string, unknown> = { limit: wanted.limit };
  if (wanted.after !== undefined) {
    conditions.push('Number < @after');
    given['after'] = wanted.after;
  }
  if (wanted.state !== undefined) {
    conditions.push('State = @state');
    given['state'] = jobStates.indexOf(wanted.state);
  }
  if (wanted.partition !== undefined) {
    conditions.push('PartitionId = @partition');
    given['partition'] = typed(uniqueidentifier, wanted.partition);
  }
  if (wanted.search !== undefined) {
    const isNumber = /^-?\d{1,18}$/.test(wanted.search);
    conditions.push(isNumber ? "(Name like @like escape '!' or JobId = @id)" : "Name like @like escape '!'");
    given['like'] = `%${wanted.search.replace(/[!%_[\]]/g, '!$&')}%`;
    if (isNumber) given['id'] = BigInt(wanted.search);
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  return client.select(
    columns,
    `select top (@limit) ${selected} from JobProgress ${where} order by Number desc`,
    given,
    { signal, idempotent: true },
  );
}

/** One job. */
export async function jobNamed(client: Client, id: bigint, signal: AbortSignal): Promise<JobRow> {
  const text = `select ${selected} from JobProgress where JobId = @id`;
  const [row] = await client.select(columns, text, { id }, { signal, idempotent: true });
  if (row === undefined) throw notFound(`There is no job ${id} in ${client.databaseName}: it may have expired.`);
  return row;
}

/** A job in the form of the interface, with the known counts of its items. */
export function told(row: JobRow, counts: Counts | null): Job {
  return {
    number: String(row.Number),
    id: String(row.JobId),
    name: row.Name,
    partition: row.PartitionId,
    state: jobStates[row.State] ?? 'empty',
    created: row.CreateTime.toISOString(),
    cancelled: isoOf(row.CancelTime),
    submitted: row.Submitted,
    items: Number(row.Items),
    open: row.OpenItems > mostOpen ? null : row.OpenItems,
    runningSince: isoOf(row.RunningSince),
    counts,
  };
}

/** True for a job whose open items are too many to be counted on the way. */
export const isLarge = ({ OpenItems }: JobRow): boolean => OpenItems > mostOpen;
