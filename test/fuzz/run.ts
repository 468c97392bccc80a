import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { targets } from './targets.ts';
import type { Word, Work } from './worker.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    inputs: { type: 'string', default: '1000000000' },
    from: { type: 'string', default: '0' },
    target: { type: 'string', multiple: true },
    slow: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const help = `npm run fuzz -- [--target NAME]… [--seed N] [--seconds N] [--inputs N] [--from N] [--slow]

Feeds inputs made by chance to whatever reads bytes and texts of clients. Each target has --seconds, or --inputs if that is
less. The same seed, target and number make the same input. What does harm is put into test/fuzz/corpus, which npm test
replays. Targets: ${targets.map(({ name, isSlow }) => (isSlow ? `${name} (--slow)` : name)).join(', ')}.`;

/** Milliseconds without a next input after which the worker hangs, once it has begun: a busy machine is slow too. */
const patience = 60_000;
/** What stands for the input before there is one. */
const notBegun = -1;
/** Bytes that may be held more at the end than after the first inputs. */
const mostGrowth = 64 * 1024 * 1024;

interface Result {
  readonly inputs: number;
  readonly complaints: number;
}

function keep(target: string, bytes: Uint8Array): string {
  const folder = new URL(`./corpus/${target}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  writeFileSync(new URL(name, folder), bytes);
  return `${target}/${name}`;
}

/** Runs a target in a thread of its own, so that one that hangs or runs out of memory can be told from here. */
async function fuzz(target: string, seed: number): Promise<Result> {
  const at = new SharedArrayBuffer(4);
  const from = Number(values.from);
  const workerData: Work = { target, seed, from, inputs: Number(values.inputs), seconds: Number(values.seconds), at };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const known = new Set<string>();
  let complaints = 0;
  let inputs = 0;
  const complain = (what: string, input: number, bytes?: Uint8Array) => {
    complaints++;
    const first = what.split('\n').slice(0, 3).join(' ');
    if (known.has(first)) return;
    known.add(first);
    const kept = bytes && keep(target, bytes);
    console.log(`${target}: --seed ${seed} --from ${input}${kept === undefined ? '' : ` (${kept})`}\n${what}`);
  };
  const place = new Int32Array(at);
  Atomics.store(place, 0, notBegun);
  let last = notBegun;
  let since = Date.now();
  const watch = setInterval(() => {
    const now = Atomics.load(place, 0);
    if (now !== last || now === notBegun) [last, since] = [now, Date.now()];
    else if (Date.now() - since > patience) {
      complain('hangs', now);
      void worker.terminate();
    }
  }, 1000);
  await new Promise<void>((resolve) => {
    worker.on('message', (word: Word) => {
      if ('complaint' in word) complain(word.complaint, word.input, word.bytes);
      else {
        inputs = word.done;
        if (word.grown > mostGrowth) complain(`grew by ${Math.round(word.grown / 1024 / 1024)} MB`, from);
      }
    });
    worker.on('error', (error) => complain(`ends the thread: ${String(error)}`, Atomics.load(place, 0)));
    worker.on('exit', () => resolve());
  });
  clearInterval(watch);
  return { inputs: inputs || Math.max(0, Atomics.load(place, 0) - from), complaints };
}

async function main(): Promise<void> {
  if (values.help) return void console.log(help);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const wanted = targets.filter(
    ({ name, isSlow = false }) => values.target?.includes(name) ?? (!isSlow || values.slow),
  );
  console.log(`seed ${seed}`);
  let all = 0;
  let wrong = 0;
  for (const { name } of wanted) {
    const started = performance.now();
    const { inputs, complaints } = await fuzz(name, seed);
    const rate = Math.round(inputs / ((performance.now() - started) / 1000));
    console.log(
      `${name.padEnd(12)} ${String(inputs).padStart(10)} inputs, ${String(rate).padStart(7)} a second, ${complaints} complaints`,
    );
    all += inputs;
    wrong += complaints;
  }
  console.log(`${all} inputs, ${wrong} complaints`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

await main();
