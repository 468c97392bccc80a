import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { cancelJob as cancelTranslation } from '../../protocols/translation/cancel-job.ts';
import { getJobStatus as translationStatus } from '../../protocols/translation/get-job-status.ts';
import { translation } from '../../protocols/translation/kind.ts';
import { cancelJob as cancelConversion } from '../../protocols/word/cancel-job.ts';
import { getJobStatus as conversionStatus } from '../../protocols/word/get-job-status.ts';
import { word } from '../../protocols/word/kind.ts';
import { word2 } from '../../protocols/word2/kind.ts';
import { bigint, nvarchar, uniqueidentifier } from '../../tds/types/index.ts';
import type { CommandFlag, Invocation } from '../command.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { json } from '../json-flag.ts';
import { placeFlags } from '../place.ts';

/** What a protocol of jobs is called with. */
const protocols = {
  [translation.name]: { status: translationStatus, cancel: cancelTranslation },
  [word.name]: { status: conversionStatus, cancel: cancelConversion },
  [word2.name]: { status: conversionStatus, cancel: cancelConversion },
};

/** A database of jobs. */
export interface JobDatabase {
  readonly name: string;
  readonly kind: string;
  readonly client: Client;
}

/** Which server and database a command of jobs is about. */
export const jobFlags = {
  json,
  ...placeFlags,
  database: { placeholder: 'NAME', help: 'The job database. Default: all on the server.' },
} satisfies Record<string, CommandFlag>;

/** The databases of jobs that a command is about. */
export async function jobDatabases(server: Client, { flags }: Invocation): Promise<JobDatabase[]> {
  const only = flags.get('database')?.toLowerCase();
  const found = await server.select(
    { name: nvarchar(128), kind: orNull(nvarchar(128)) },
    "select name, cast(databasepropertyex(name, 'GranaryKind') as nvarchar(128)) as kind from sys.databases",
    {},
    { idempotent: true },
  );
  const fitting = found.flatMap(({ name, kind }) =>
    kind !== null && kind in protocols && (only === undefined || name.toLowerCase() === only)
      ? [{ name, kind, client: server.database(name) }]
      : [],
  );
  if (fitting.length > 0) return fitting;
  if (only === undefined) throw new OperatorError('There is no job database. Create one with granary database create.');
  const other = found.find(({ name }) => name.toLowerCase() === only);
  throw new OperatorError(
    other === undefined
      ? `There is no database ${flags.get('database')}.`
      : `The database ${other.name} is of kind ${other.kind}, but jobs are only in databases of kind ${Object.keys(protocols).join(', ')}.`,
  );
}

/** A job and its database. */
export interface PlacedJob extends JobDatabase {
  readonly JobId: bigint;
  readonly PartitionId: string | null;
}

/** The number that a command line names a job by. */
export function jobIdOf(text: string): bigint {
  if (!/^-?\d{1,19}$/.test(text)) throw new UsageError(`'${text}' is not a job number; granary job list shows them.`);
  return BigInt(text);
}

/** The databases with a job of this number. */
async function jobsNumbered(databases: readonly JobDatabase[], JobId: bigint): Promise<PlacedJob[]> {
  const jobs: PlacedJob[] = [];
  for (const database of databases) {
    const rows = await database.client.select(
      { JobId: bigint, PartitionId: orNull(uniqueidentifier) },
      'select JobId, PartitionId from Jobs where JobId = @JobId',
      { JobId },
      { idempotent: true },
    );
    for (const row of rows) jobs.push({ ...database, ...row });
  }
  return jobs;
}

/** The job that a command line names, if it exists. */
export async function findJob(databases: readonly JobDatabase[], JobId: bigint): Promise<PlacedJob | undefined> {
  const [job, ...others] = await jobsNumbered(databases, JobId);
  if (others.length === 0) return job;
  const names = [job, ...others].map((each) => each?.name).join(', ');
  throw new UsageError(`There is a job ${JobId} in each of ${names}: choose one of them with --database.`);
}

/** The job that a command line names; it must be there. */
export async function jobNamed(server: Client, invocation: Invocation): Promise<PlacedJob> {
  const JobId = jobIdOf(invocation.args[0] ?? '');
  const databases = await jobDatabases(server, invocation);
  const job = await findJob(databases, JobId);
  if (job === undefined) {
    throw new OperatorError(`There is no job ${JobId} in ${databases.map(({ name }) => name).join(', ')}.`);
  }
  return job;
}

/** How many items of a job are where. */
export async function statusOf({ client, kind, JobId, PartitionId }: PlacedJob) {
  const { status } = protocols[kind] ?? { status: conversionStatus };
  const { sets } = await client.call(status, { JobId, PartitionId }, { idempotent: true });
  const [row] = sets.ResultSet0;
  if (row === undefined) return undefined;
  const { Total, NotSubmitted, NotStarted, InProgress, Succeeded, Failed, Canceled } = row;
  return {
    Total: Total ?? 0,
    NotSubmitted: NotSubmitted ?? 0,
    NotStarted: NotStarted ?? 0,
    InProgress: InProgress ?? 0,
    Succeeded: Succeeded ?? 0,
    Failed: Failed ?? 0,
    Canceled: Canceled ?? 0,
  };
}

/** Cancels a job. */
export async function cancel({ client, kind, JobId, PartitionId }: PlacedJob): Promise<void> {
  const { cancel: procedure } = protocols[kind] ?? { cancel: cancelConversion };
  await client.call(procedure, { JobId, PartitionId });
}
