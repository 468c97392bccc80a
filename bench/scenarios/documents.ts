import { spawnSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jsonLog, silentLog } from '../../src/base/log/log.ts';
import { Client } from '../../src/client/client.ts';
import { addGroup } from '../../src/protocols/word/add-group.ts';
import { addJob } from '../../src/protocols/word/add-job.ts';
import { getJobStatus } from '../../src/protocols/word/get-job-status.ts';
import { submitJob } from '../../src/protocols/word/submit-job.ts';
import { formatOf, routeOf } from '../../src/workers/convert/formats.ts';
import { OfficePool } from '../../src/workers/convert/office-pool.ts';
import { findOffice } from '../../src/workers/convert/program.ts';
import { WorkCrew } from '../../src/workers/work-crew.ts';
import * as samples from '../../test/workers/convert/samples.ts';
import type { Bench, Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median } from '../support/statistics.ts';

const count = 180;
/** Documents that LibreOffice is started for one by one. */
const fewer = 12;
const rounds = 5;
const database = 'WordAutomationServices';

export const documents: Scenario = {
  name: 'documents',
  summary: `${count} documents of six kinds to PDF by one LibreOffice, against soffice --convert-to once a document and against one instance that is fed by hand.`,
  async run(bench) {
    const program = await findOffice();
    if (program === undefined) {
      bench.progress('LibreOffice is not installed: nothing is measured');
      return [];
    }
    await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-bench-documents-'));
    const names = await layDown(folder.path);
    const alone = onceADocument(program, folder.path, names.slice(0, fewer));
    await using hand = await fedByHand(program, folder.path, names.slice(0, fewer));
    await using worker = await byWorker(bench, folder.path, names.slice(0, fewer));
    const byHand: number[] = [];
    const own: number[] = [];
    // All are up, and take turns: what the machine does besides is much the same for both of a round.
    for (let round = 0; round < rounds; round++) {
      byHand.push(await timed(names, hand.convert));
      own.push(await timed(names, worker.convert));
      const shown = [own, byHand].map((values) => (values.at(-1) ?? 0).toFixed(1));
      bench.progress(`worker ${shown[0]}/s, by hand ${shown[1]}/s, once a document ${alone.toFixed(1)}/s`);
    }
    const figure = `${median(own).toFixed(1)}/s`;
    const against = (values: readonly number[], atLeast: number) => ({
      figure,
      against: `${median(values).toFixed(1)}/s`,
      value: median(own.map((value, round) => value / (values[round % values.length] ?? 0))),
      unit: 'times' as const,
      demand: { atLeast },
    });
    return [
      {
        what: 'documents a second, from the queue, against soffice --convert-to once a document',
        ...against([alone], 3),
      },
      { what: 'documents a second, from the queue, against one instance fed by hand', ...against(byHand, 0.9) },
    ];
  },
};

/** Makes the documents and tells their names. */
async function layDown(folder: string): Promise<string[]> {
  await mkdir(join(folder, 'in'));
  await mkdir(join(folder, 'out'));
  const names: string[] = [];
  for (let number = 0; number < count; number++) {
    const lines = Array.from(
      { length: 120 },
      (_, line) => `Line ${line} of document ${number}, with some words to set.`,
    );
    const kinds = [
      ['odt', samples.odt(...lines)],
      ['docx', samples.docx(...lines)],
      ['rtf', samples.rtf(...lines)],
      ['html', samples.html(...lines)],
      ['ods', samples.ods(...lines)],
      ['txt', Buffer.from(lines.join('\n'))],
    ] as const;
    const [kind, content] = kinds[number % kinds.length] ?? kinds[0];
    names.push(`${number}.${kind}`);
    await writeFile(join(folder, 'in', `${number}.${kind}`), content);
  }
  return names;
}

const perSecond = (documents: number, began: number): number => (documents * 1000) / (performance.now() - began);

function onceADocument(program: string, folder: string, names: readonly string[]): number {
  const launcher = program.replace(/soffice\.bin$/, 'soffice');
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  const convert = (name: string) => {
    const args = [
      '--headless',
      profile,
      '--convert-to',
      'pdf',
      '--outdir',
      join(folder, 'out'),
      join(folder, 'in', name),
    ];
    if (spawnSync(launcher, args, { stdio: 'ignore' }).status !== 0) throw new Error(`soffice did not convert ${name}`);
  };
  convert(names[0] ?? '');
  const began = performance.now();
  for (const name of names) convert(name);
  return perSecond(names.length, began);
}

/** Documents a second of converting all of some names. */
async function timed(names: readonly string[], convert: (names: readonly string[]) => Promise<void>): Promise<number> {
  const began = performance.now();
  await convert(names);
  return perSecond(names.length, began);
}

/** What converts documents, and has begun to. */
interface Converter extends AsyncDisposable {
  readonly convert: (names: readonly string[]) => Promise<void>;
}

async function fedByHand(program: string, folder: string, first: readonly string[]): Promise<Converter> {
  const size = 1024 ** 3;
  const options = { program, instances: 1, timeout: 60_000, documents: 5000, rest: 600_000, memory: 4 * size };
  const pool = new OfficePool({ ...options, largestOutput: size, log: silentLog });
  const convert = async (names: readonly string[]) => {
    for (const name of names) {
      const route = routeOf(formatOf(name.split('.')[1] ?? '') ?? 'txt', 'pdf');
      if (route === undefined) throw new Error(`there is no way from ${name} to pdf`);
      const files = { input: join(folder, 'in', name), output: join(folder, 'out', `${name}.pdf`) };
      await pool.convert({ ...files, ...route }, new AbortController().signal);
    }
  };
  await convert(first);
  return { convert, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() };
}

async function byWorker({ engine }: Bench, folder: string, first: readonly string[]): Promise<Converter> {
  await using starting = new AsyncDisposableStack();
  const ends = new Ends();
  const server = starting.use(await BenchServer.start({ engine }));
  const client = starting.use(Client.create({ ...server.address(database), poolSize: 10 }));
  const crew = starting.use(
    new WorkCrew('convert', client, [database], {
      concurrency: 1,
      timeout: 60_000,
      roots: [pathToFileURL(`${folder}/`)],
      except: [],
      own: false,
      userAgent: 'bench',
      log: ends.log,
    }),
  );
  await crew.start();
  let job = 0n;
  const convert = (names: readonly string[]) => done(client, ends, ++job, folder, names);
  await convert(first);
  const running = starting.move();
  return { convert, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The ends of items as the worker writes them into its log: nobody has to ask for them while it works. */
class Ends {
  #count = 0;
  #awaited: { readonly count: number; resolve(): void } | undefined;

  readonly log = jsonLog((line) => {
    if (!/"item (done|failed|broken off)"/.test(line)) return;
    this.#count++;
    if (this.#count === this.#awaited?.count) this.#awaited.resolve();
  }, 'info');

  /** Resolves when so many more items have ended. */
  next(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { count: this.#count + count, resolve };
    return promise;
  }
}

/** Submits a job and waits until it is done. */
async function done(
  client: Client,
  ends: Ends,
  JobId: bigint,
  folder: string,
  names: readonly string[],
): Promise<void> {
  const items = names.map((name, at) => `<item id="${at + 1}" in="${name}" out="${name}.pdf"/>`).join('');
  await client.call(addJob, { JobId, Settings: null });
  await client.call(addGroup, {
    JobId,
    GroupId: 1,
    InputRoot: join(folder, 'in'),
    OutputRoot: join(folder, 'out'),
    MaxAttemptsCount: 1,
    JobXml: `<group xmlns="http://schemas.microsoft.com/office/server/word/2009/08/databaseJobAdd">${items}</group>`,
  });
  const ended = ends.next(names.length);
  await client.call(submitJob, { JobId });
  await ended;
  const { sets } = await client.call(getJobStatus, { JobId, PartitionId: null });
  const [status] = sets.ResultSet0;
  if (status?.Succeeded !== names.length) throw new Error(`${status?.Failed} documents were not converted`);
}
