import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addGroup } from '../src/protocols/translation/add-group.ts';
import { addJob } from '../src/protocols/translation/add-job.ts';
import { getJobStatus } from '../src/protocols/translation/get-job-status.ts';
import { translation } from '../src/protocols/translation/kind.ts';
import { submitJob } from '../src/protocols/translation/submit-job.ts';
import { updateConversionBatch } from '../src/protocols/translation/update-conversion-batch.ts';
import { batchUpdate, jobAdd } from '../test/conformance/jobs/documents.ts';
import { callUnread } from './support/calls.ts';
import { finisher } from './support/finish-items.ts';
import { Items } from './support/items.ts';
import { type Caller, drive, pick } from './support/load.ts';
import { lengthOf, roundsOf } from './support/pace.ts';
import type { Bench } from './support/scenario.ts';
import { BenchServer } from './support/server.ts';
import { median, rate } from './support/statistics.ts';

const usage = `npm run bench:compare -- REVISION   calls a second of this checkout, against those of another revision
  --engine sqlite|postgres          on this engine (sqlite unless said)
`;

const clients = 32;
const rounds = roundsOf(15);
const roundLength = lengthOf(1500);
const size = { jobs: 200, itemsInAJob: 1000 };
const family = 'translation/2010/11';
const worker = 'b00ae9a1-0474-474e-b348-f6a8bcc95331';

/** Both versions run at the same time and are called by turns: what else the machine does meanwhile slows both. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { engine: { type: 'string', default: 'sqlite' }, help: { type: 'boolean', default: false } },
  });
  const [revision] = positionals;
  const engine = engines.find((name) => name === values.engine);
  if (values.help || revision === undefined || engine === undefined) {
    console.log(usage);
    return;
  }
  await using stack = new AsyncDisposableStack();
  const program = await programOf(revision, stack);
  const now = await callersOf(await BenchServer.start({ engine }), stack);
  const before = await callersOf(await BenchServer.start({ engine, program }), stack);
  for (const [name, calls] of Object.entries(now)) {
    const ratios: number[] = [];
    const rates: { now: number; before: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      const measured = await pair(calls, before[name] ?? [], round % 2 === 0);
      if (round === 0) continue; // warms up
      rates.push(measured);
      ratios.push(measured.now / measured.before);
    }
    const [one, other] = (['now', 'before'] as const).map((which) => rate(median(rates.map((each) => each[which]))));
    const sorted = ratios.toSorted((a, b) => a - b);
    const middle = [sorted[Math.floor(rounds / 4)], sorted[Math.floor((rounds * 3) / 4)]];
    console.log(
      `${name.padEnd(24)}${one} now, ${other} at ${revision}: ${median(ratios).toFixed(3)} times ` +
        `(half of the rounds between ${middle.map((ratio) => (ratio ?? 0).toFixed(3)).join(' and ')})`,
    );
  }
}

const engines: readonly Bench['engine'][] = ['sqlite', 'postgres'];

async function pair(now: readonly Caller[], before: readonly Caller[], nowFirst: boolean) {
  const driven = async (callers: readonly Caller[]) => (await drive(callers, roundLength)).callsPerSecond;
  if (nowFirst) return { now: await driven(now), before: await driven(before) };
  const first = await driven(before);
  return { now: await driven(now), before: first };
}

/** The command of another revision, checked out with its own dependencies. */
async function programOf(revision: string, stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'granary-revision-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const root = new URL('..', import.meta.url).pathname;
  const run = (command: string, args: string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  run('git', ['clone', '--quiet', '--no-checkout', root, folder], root);
  run('git', ['checkout', '--quiet', revision], folder);
  run(process.execPath, ['scripts/setup.js'], folder);
  return join(folder, 'bin/granary.js');
}

/** The calls that are compared, by 32 connections each, on jobs that came through the protocol: any version takes them. */
async function callersOf(server: BenchServer, stack: AsyncDisposableStack): Promise<Record<string, Caller[]>> {
  stack.use(server);
  await fill(server);
  const items = new Items(size);
  const connections = await Promise.all(Array.from({ length: clients }, () => server.open(translation.firstDatabase)));
  const finishers = await Promise.all(Array.from({ length: clients }, () => finisher(server, items)));
  const status = connections.map(
    (each) => () => callUnread(each, getJobStatus, { JobId: BigInt(pick(size.jobs)), PartitionId: null }),
  );
  return {
    proc_GetJobStatus: status,
    'items as handed out': finishers.map((caller) => caller('as handed out')),
    'items at random': finishers.map((caller) => caller('at random')),
  };
}

/** Jobs all of whose items are in progress. */
async function fill(server: BenchServer): Promise<void> {
  await using client = await server.connect(translation.firstDatabase);
  const ids = Array.from({ length: size.itemsInAJob }, (_, at) => at + 1);
  for (let job = 1; job <= size.jobs; job++) {
    const JobId = BigInt(job);
    const [InputRoot, OutputRoot] = ['http://contoso.com/in', 'http://contoso.com/out'];
    await client.call(addJob, { JobId, UserToken: Buffer.of(1), Settings: '<settings/>', Name: `Job ${job}` });
    await client.call(addGroup, {
      JobId,
      GroupId: 1,
      InputRoot,
      OutputRoot,
      MaxAttemptsCount: 1,
      JobXml: jobAdd(
        family,
        ids.map((ItemId) => ({ ItemId, InputFile: `${ItemId}.docx`, OutputFile: `${ItemId}.odt` })),
      ),
    });
    await client.call(submitJob, { JobId });
    const started = ids.map((ItemId) => ({ JobId, GroupId: 1, ItemId, Worker: worker }));
    await client.call(updateConversionBatch, { BatchXml: batchUpdate(family, started) });
  }
}

await main();
