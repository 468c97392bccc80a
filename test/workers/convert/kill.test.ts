import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { extractText, getDocumentProxy } from 'unpdf';
import { itemErrors } from '../../../src/protocols/jobs/item-errors.ts';
import { routeOf } from '../../../src/workers/convert/formats.ts';
import { findOffice } from '../../../src/workers/convert/program.ts';
import { password } from '../../support/server.ts';
import { type Document, JobFarm } from '../job-farm.ts';
import { withoutOffice } from './office.ts';
import * as samples from './samples.ts';

const isLong = process.env['GRANARY_TEST_LONG'] !== undefined;
const count = Number(process.env['GRANARY_TEST_DOCUMENTS'] ?? 200);
/** Milliseconds between two kills. */
const interval = 3000;
const database = 'WordAutomationServices';
const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

interface Expected extends Document {
  readonly error: number | null;
}

/** Documents of many kinds, every tenth of which is broken. */
function documents(): Expected[] {
  return Array.from({ length: count }, (_, number): Expected => {
    const lines = Array.from(
      { length: 1 + ((number * 37) % 400) },
      (__, line) => `Line ${line} of document ${number}, grün.`,
    );
    const broken: readonly (readonly [string, Uint8Array, string, number])[] = [
      ['docx', Buffer.from('89504e47', 'hex'), 'pdf', itemErrors.unreadable.code],
      ['odt', samples.odt(...lines).subarray(0, 300), 'pdf', itemErrors.unreadable.code],
      ['odp', samples.odp('a'), 'xls', itemErrors.unsupported.code],
    ];
    const good: readonly (readonly [string, Uint8Array, string, null])[] = [
      ['odt', samples.odt(...lines), 'pdf', null],
      ['docx', samples.docx(...lines), 'txt', null],
      ['rtf', samples.rtf(...lines), 'txt', null],
      ['html', samples.html(...lines), 'pdf', null],
      ['ods', samples.ods(...lines), 'html', null],
      ['odp', samples.odp('A slide', `of document ${number}`), 'pdf', null],
      ['txt', Buffer.from(lines.join('\n')), 'pdf', null],
    ];
    const kinds = number % 10 === 9 ? broken : good;
    const chosen = kinds[(number % 10 === 9 ? Math.floor(number / 10) : number) % kinds.length];
    assert(chosen);
    const [from, content, to, error] = chosen;
    return { name: `${number}.${from}`, content, out: `${number}.${to}`, error };
  });
}

/** The text of an output. */
async function textOf(path: string): Promise<string> {
  const content = await readFile(path);
  if (!path.endsWith('.pdf')) return content.toString('utf8');
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(content), { verbosity: 0 }));
  return text.join('\n');
}

/** Converts documents by LibreOffice alone. */
async function byOfficeAlone(program: string, farm: JobFarm, good: readonly Document[]): Promise<string> {
  const folder = join(farm.folder, 'alone');
  await mkdir(folder);
  const groups = Map.groupBy(good, ({ name, out }) => `${name.split('.')[1]}>${out.split('.')[1]}`);
  for (const [pair, members] of groups) {
    const [from, to] = pair.split('>');
    const route = routeOf(from as 'odt', to as 'pdf');
    assert(route);
    const { loading, storing } = route;
    const input =
      loading.filter === undefined
        ? []
        : [`--infilter=${loading.filter}${loading.options ? `:${loading.options}` : ''}`];
    const output = `${to}:${storing.filter}${storing.options ? `:${storing.options}` : ''}`;
    const profile = `-env:UserInstallation=${pathToFileURL(join(farm.folder, 'profile')).href}`;
    const files = members.map(({ name }) => join(farm.folder, 'in', name));
    const args = ['--headless', profile, ...input, '--convert-to', output, '--outdir', folder, ...files];
    const launcher = program.replace(/soffice\.bin$/, 'soffice');
    assert.equal(
      spawnSync(launcher, args, { stdio: 'ignore', env: { ...process.env, LC_ALL: 'C.UTF-8' } }).status,
      0,
      pair,
    );
  }
  return folder;
}

function startWorker(farm: JobFarm): ChildProcess {
  const told = { port: farm.server.port, password, database, folder: farm.folder };
  return spawn(process.execPath, [script, JSON.stringify(told)], { stdio: ['ignore', 'inherit', 'inherit'] });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

const skip = withoutOffice || (!isLong && 'it takes minutes; GRANARY_TEST_LONG=1 runs it');
test('three workers of which one is killed every few seconds lose nothing and leave no half files', {
  skip,
}, async () => {
  const program = await findOffice();
  assert(program);
  await using farm = await JobFarm.start('sqlite');
  const expected = documents();
  await farm.lay(expected);
  const workers = [startWorker(farm), startWorker(farm), startWorker(farm)];
  // Every kill costs an attempt, and on a slow machine LibreOffice hardly starts between two of them.
  const job = await farm.submit(database, expected, { attempts: 250 });
  const over = new AbortController();
  let kills = 0;
  const killing = (async () => {
    while (!over.signal.aborted) {
      await delay(interval, undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) return;
      const [victim] = workers.splice(0, 1);
      if (victim !== undefined) await end(victim, 'SIGKILL');
      kills++;
      workers.push(startWorker(farm));
    }
  })();
  const ended = await farm.ended(database, job, 600);
  over.abort();
  await killing;
  await Promise.all(workers.map((worker) => end(worker, 'SIGTERM')));
  assert.deepEqual(
    ended,
    expected.map(({ name, error }) => ({ name, error })),
  );
  const good = expected.filter(({ error }) => error === null);
  assert.deepEqual((await readdir(join(farm.folder, 'out'))).sort(), good.map(({ out }) => out).sort());
  const alone = await byOfficeAlone(program, farm, good);
  for (const { out } of good) {
    assert.equal(await textOf(join(farm.folder, 'out', out)), await textOf(join(alone, out)), out);
  }
  console.log(`${count} documents, ${kills} kills`);
});
