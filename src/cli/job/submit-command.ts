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
  to: { placeholder: 'FORMAT', help: 'Converts to this format, an extension: pdf, docx, odt, txt, …' },
  translate: { placeholder: 'FROM:TO', help: 'Translates from a language to another: en:es.' },
  out: {
    placeholder: 'FOLDER',
    help: 'Where the outputs go; beside each input unless given. A folder of this machine is made.',
  },
  name: { placeholder: 'TEXT', help: 'What the job is called.' },
  attempts: { placeholder: 'NUMBER', help: 'How often each document is tried, 1 to 255; 3 unless given.' },
  partition: { placeholder: 'GUID', help: 'The partition that the job runs on; none unless given.' },
  'most-per-day': {
    placeholder: 'NUMBER',
    help: 'Refuses the job when more documents than this were to be translated in 24 hours.',
  },
  keep: { placeholder: '', help: 'Fails where an output is there already, instead of replacing it.', bare: true },
  'no-wait': { placeholder: '', help: 'Ends when the job is submitted.', bare: true },
  ...jobFlags,
  database: {
    placeholder: 'NAME',
    help: `The database of jobs; ${word2.firstDatabase} unless given, for translations ${translation.firstDatabase}.`,
  },
} satisfies Record<string, CommandFlag>;

export const submit: Command = {
  name: 'job submit',
  args: [],
  rest: 'FILE',
  summary: 'Makes a job that converts or translates documents, and shows how it goes until it is done.',
  details: [
    'Documents are files of this machine, which the workers must see under the same name and be allowed to read, or URLs. It ends ' +
      'with 0 when every document is done, and with 1 and the reasons when some have failed.',
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
    say(invocation, placed, undefined, `Job ${JobId} is submitted to ${database.name}.`);
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
    throw new UsageError('A job either converts (--to FORMAT) or translates (--translate FROM:TO).');
  if (to !== undefined && !/^[a-z0-9]{1,10}$/i.test(to))
    throw new UsageError(`--to is an extension such as pdf, not '${to}'.`);
  const [, from, language = ''] = /^([a-z]{2,3}(?:[_-][a-z]+)?):([a-z]{2,3}(?:[_-][a-z]+)?)$/i.exec(pair ?? '') ?? [];
  if (pair !== undefined && from === undefined)
    throw new UsageError(`--translate is a pair such as en:es, not '${pair}'.`);
  const attempts = numberOf(given.get('attempts') ?? '3', 1, 255, 'attempts');
  const mostPerDay = given.get('most-per-day');
  if (mostPerDay !== undefined && pair === undefined) throw new UsageError('--most-per-day is for translations.');
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
  throw new UsageError(`--${flag} is between ${least} and ${most}, not '${text}'.`);
}

function partitionOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new UsageError(`--partition is a GUID, not '${text}'.`);
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
      ? `There is no database for such jobs: granary database create ${usual} --kind ${kind} makes one.`
      : `The database ${named} is not one for such jobs, but of kind ${databases[0]?.kind}.`,
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
  const cancelled = canceled === 0 ? [] : [`  ${canceled} were not begun: the job was cancelled.`];
  return [`${failed.length + canceled} of ${total} documents are not done:`, ...lines, ...cancelled].join('\n');
}
