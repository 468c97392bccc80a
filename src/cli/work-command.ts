import { availableParallelism } from 'node:os';
import { jsonLog } from '../base/log/log.ts';
import type { Client } from '../client/client.ts';
import { orNull } from '../procedure/declare.ts';
import { nvarchar } from '../tds/types/index.ts';
import { kindsOfWorker, type WorkerName } from '../workers/worker-kinds.ts';
import type { Command, Invocation } from './command.ts';
import { OperatorError, UsageError } from './errors.ts';
import { placeFlags, withServer } from './place.ts';
import * as type from './setting-types.ts';
import { workOptions } from './work-options.ts';

const flags = {
  concurrency: {
    placeholder: 'NUMBER',
    help: `Documents to process in parallel. Default: workConcurrency, here ${availableParallelism()}.`,
  },
  roots: {
    placeholder: 'FOLDER',
    several: true,
    help: 'The folders where documents may be read and written. Default: workRoots.',
  },
  timeout: { placeholder: 'TIME', help: 'The time limit for one document. Default: workTimeout.' },
  ...placeFlags,
  database: { placeholder: 'NAME', help: 'The job database. Default: all on the server.' },
} as const;

const details = [
  'Any number of workers can run, on any machine. SIGTERM or SIGINT (Ctrl+C) stops a worker: its current items are finished or returned to the queue.',
  'Documents are read and written only below --roots. See docs/workers.md for details.',
];

/** `granary work …`: workers as processes of their own. */
export const workCommands: readonly Command[] = [
  {
    name: 'work convert',
    args: [],
    summary: 'Converts the documents of jobs with LibreOffice until SIGTERM or SIGINT.',
    details,
    flags,
    settings: ['all'],
    run: (invocation) => work('convert', invocation),
  },
  {
    name: 'work translate',
    args: [],
    summary: 'Translates the documents of jobs with Apertium or a service until SIGTERM or SIGINT.',
    details,
    flags: { ...flags, translator: { placeholder: 'URL', help: 'A translation service with the LibreTranslate API.' } },
    settings: ['all'],
    run: (invocation) => work('translate', invocation),
  },
];

async function work(worker: WorkerName, invocation: Invocation): Promise<void> {
  const { world } = invocation;
  const settings = given(invocation);
  const ending = world.ending();
  // What converts and translates is loaded only by who does.
  const { WorkCrew, WorkerMissing } = await import('../workers/work-crew.ts');
  await withServer(invocation, async (server) => {
    const listed = () => databasesOf(worker, server, invocation);
    const databases = await listed();
    const log = jsonLog((line) => world.stderr.write(line), 'info');
    const options = { ...workOptions(settings, log), own: false };
    await using crew = new WorkCrew(worker, server, listed, options);
    await crew.start().catch((error: unknown) => {
      throw error instanceof WorkerMissing ? new OperatorError(error.message) : error;
    });
    world.stdout.write(`working on ${databases.join(', ')}\n`);
    await ended(ending);
  });
}

/** The settings, overridden by the command line. */
function given({ settings, flags: named, lists }: Invocation): Invocation['settings'] {
  const read = <Value>(flag: string, text: string | undefined, { parse, expected }: type.SettingType<Value>) => {
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) throw new UsageError(`--${flag}: the value '${text}' must be ${expected}.`);
    return value;
  };
  const workConcurrency = read('concurrency', named.get('concurrency'), type.whole(1, 256));
  const workRoots = read('roots', lists.get('roots')?.join(','), type.folders);
  const workTimeout = read('timeout', named.get('timeout'), type.duration(1000, 86_400_000));
  const translatorUrl = read('translator', named.get('translator'), type.webAddress);
  return {
    ...settings,
    ...(workConcurrency !== undefined && { workConcurrency }),
    ...(workRoots !== undefined && { workRoots }),
    ...(workTimeout !== undefined && { workTimeout }),
    ...(translatorUrl !== undefined && { translatorUrl }),
  };
}

async function databasesOf(worker: WorkerName, server: Client, { flags: named }: Invocation): Promise<string[]> {
  const only = named.get('database');
  const found = await server.select(
    { name: nvarchar(128), kind: orNull(nvarchar(128)) },
    "select name, cast(databasepropertyex(name, 'GranaryKind') as nvarchar(128)) as kind from sys.databases",
    {},
    { idempotent: true },
  );
  if (only !== undefined) {
    const known = found.find(({ name }) => name.toLowerCase() === only.toLowerCase());
    if (known === undefined) throw new OperatorError(`There is no database ${only}.`);
    if (known.kind !== null && !kindsOfWorker[worker].includes(known.kind)) {
      throw new OperatorError(
        `The database ${only} is of kind ${known.kind}, not ${kindsOfWorker[worker].join(' or ')}.`,
      );
    }
    return [known.name];
  }
  const fitting = found
    .filter(({ kind }) => kind !== null && kindsOfWorker[worker].includes(kind))
    .map(({ name }) => name);
  if (fitting.length === 0) {
    throw new OperatorError(
      found.every(({ kind }) => kind === null)
        ? 'This server does not report the kinds of its databases: specify the one with the jobs with --database.'
        : `There is no database of kind ${kindsOfWorker[worker].join(' or ')}.`,
    );
  }
  return fitting;
}

async function ended(ending: AbortSignal): Promise<void> {
  if (ending.aborted) return;
  await new Promise<void>((resolve) => ending.addEventListener('abort', () => resolve(), { once: true }));
}
