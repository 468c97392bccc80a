import { mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Client } from '../../client/client.ts';
import { writeSettings } from '../../protocols/jobs/settings/job-settings.ts';
import { translation } from '../../protocols/translation/kind.ts';
import { word2 } from '../../protocols/word2/kind.ts';
import type { Command, CommandFlag, Invocation } from '../command.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { withServer } from '../place.ts';
import { addJob, type NewJob } from './add-job.ts';
import { type JobDatabase, jobDatabases, jobFlags, type PlacedJob } from './databases.ts';
import { documentGroups, folderUrl } from './documents.ts';
import { type Ended, watchJob } from './watch.ts';

const flags = {
  to: { placeholder: 'FORMAT', help: 'Convert to this format, given as an extension: pdf, docx, odt, txt, …' },
  translate: { placeholder: 'FROM:TO', help: 'Translate from one language to another, such as en:es.' },
  out: {
    placeholder: 'FOLDER',
    help: 'The folder for the outputs; created if it is local. Default: next to each input.',
  },
  name: { placeholder: 'TEXT', help: 'The name of the job.' },
  attempts: { placeholder: 'NUMBER', help: 'The number of attempts per document, 1 to 255. Default: 3.' },
  partition: { placeholder: 'GUID', help: 'The partition of the job. Default: none.' },
  'most-per-day': {
    placeholder: 'NUMBER',
    help: 'Refuse the job if it would exceed this number of translated documents in 24 hours.',
  },
  keep: { placeholder: '', help: 'Fail if an output already exists, instead of replacing it.', bare: true },
  'no-wait': { placeholder: '', help: 'Exit as soon as the job is submitted.', bare: true },
  ...jobFlags,
  database: {
    placeholder: 'NAME',
    help: `The job database. Default: ${word2.firstDatabase}; for translations ${translation.firstDatabase}.`,
  },
} satisfies Record<string, CommandFlag>;

export const submit: Command = {
  name: 'job submit',
  args: [],
  rest: 'FILE',
  summary: 'Submits a job that converts or translates documents, and shows progress until it is done.',
  details: [
    'Documents are URLs, or files on this machine that the workers must see under the same path and be allowed to read. Exits ' +
      'with 0 when every document is done, and with 1 and the reasons if some have failed.',
  ],
  flags,
  settings: ['all'],
  async run(invocation) {
    const job = await jobOf(invocation);
    await withServer(invocation, (server) => submitTo(server, job, invocation));
  },
};

async function submitTo(server: Client, job: NewJob, invocation: Invocation): Promise<void> {
  const { flags: given, world } = invocation;
  const database = await databaseFor(job, server, invocation);
  const out = given.get('out');
  if (out !== undefined) await makeFolder(out);
  const JobId = await addJob(database.client, job);
  const placed: PlacedJob = { ...database, JobId, PartitionId: job.partition };
  if (given.has('no-wait')) {
    say(invocation, placed, undefined, `Job ${JobId} was submitted to ${database.name}.`);
    return;
  }
  if (!given.has('json')) world.stderr.write(`Job ${JobId} in ${database.name}\n`);
  const ended = await watchJob(placed, world);
  say(invocation, placed, ended, `${ended.succeeded} of ${ended.total} documents are done.`);
  if (ended.succeeded < ended.total) throw new OperatorError(reasons(ended));
}

/** What a command line asks for. */
async function jobOf({ flags: given, args }: Invocation): Promise<NewJob> {
  const [to, pair] = [given.get('to'), given.get('translate')];
  if ((to === undefined) === (pair === undefined))
    throw new UsageError('Specify either --to FORMAT to convert or --translate FROM:TO to translate.');
  if (to !== undefined && !/^[a-z0-9]{1,10}$/i.test(to))
    throw new UsageError(`--to must be an extension such as pdf, not '${to}'.`);
  const [, from, language = ''] = /^([a-z]{2,3}(?:[_-][a-z]+)?):([a-z]{2,3}(?:[_-][a-z]+)?)$/i.exec(pair ?? '') ?? [];
  if (pair !== undefined && from === undefined)
    throw new UsageError(`--translate must be a pair such as en:es, not '${pair}'.`);
  const attempts = numberOf(given.get('attempts') ?? '3', 1, 255, 'attempts');
  const mostPerDay = given.get('most-per-day');
  if (mostPerDay !== undefined && pair === undefined)
    throw new UsageError('--most-per-day applies only to translations.');
  const replace = !given.has('keep');
  const groups = await documentGroups(args, {
    out: given.get('out'),
    outputName: (stem, extension) =>
      to === undefined
        ? `${stem}.${language}${extension === '' ? '' : `.${extension}`}`
        : `${stem}.${to.toLowerCase()}`,
  });
  return {
    isTranslation: pair !== undefined,
    settings: writeSettings(
      to === undefined
        ? { ...(from === undefined ? {} : { from }), to: language, replace }
        : { to: to.toLowerCase(), replace },
    ),
    name: given.get('name') ?? nameOf(args),
    partition: partitionOf(given.get('partition')),
    attempts,
    mostPerDay: mostPerDay === undefined ? null : numberOf(mostPerDay, 0, 2 ** 31 - 1, 'most-per-day'),
    groups,
  };
}

const nameOf = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? basename(first) : `${basename(first)} and ${others.length} more`;

function numberOf(text: string, least: number, most: number, flag: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new UsageError(`--${flag} must be between ${least} and ${most}, not '${text}'.`);
}

function partitionOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new UsageError(`--partition must be a GUID, not '${text}'.`);
}

async function databaseFor({ isTranslation }: NewJob, server: Client, invocation: Invocation): Promise<JobDatabase> {
  const named = invocation.flags.get('database');
  const usual = isTranslation ? translation.firstDatabase : word2.firstDatabase;
  const databases = await jobDatabases(server, invocation);
  const fitting = databases.filter(({ kind }) => (kind === translation.name) === isTranslation);
  const found = fitting.find(({ name }) => name === (named === undefined ? usual : name)) ?? fitting[0];
  if (found !== undefined) return found;
  const kind = isTranslation ? translation.name : word2.name;
  throw new OperatorError(
    named === undefined
      ? `There is no database for such jobs. Create one with granary database create ${usual} --kind ${kind}.`
      : `The database ${named} is of kind ${databases[0]?.kind}, which does not have such jobs.`,
  );
}

async function makeFolder(out: string): Promise<void> {
  const url = folderUrl(out);
  if (url.protocol === 'file:') await mkdir(url, { recursive: true });
}

function say(
  { flags: given, world }: Invocation,
  { JobId, name }: PlacedJob,
  ended: Ended | undefined,
  text: string,
): void {
  const told = { job: String(JobId), database: name, ...ended };
  world.stdout.write(given.has('json') ? `${JSON.stringify(told)}\n` : `${text}\n`);
}

function reasons({ total, failed, canceled }: Ended): string {
  const lines = failed.map(({ input, error }) => `  ${decodeURI(input)}: ${error}`);
  const cancelled = canceled === 0 ? [] : [`  ${canceled} were not started: the job was cancelled.`];
  return [`${failed.length + canceled} of ${total} documents are not done:`, ...lines, ...cancelled].join('\n');
}
