import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { WorkError } from '../documents/work-error.ts';
import { listed, type Pair, pairFor } from './languages.ts';
import type { Translate, Translation } from './translate.ts';

interface ApertiumOptions {
  readonly program: string;
  /** The command line that precedes the program. */
  readonly confinement: readonly string[];
  /** Milliseconds that one document may take. */
  readonly timeout: number;
}

/** The formats that Apertium itself unpacks and repacks. */
const formats = new Set(['docx', 'odt', 'html', 'txt', 'xlsx', 'pptx']);

/** Translates by Apertium, which is installed on this machine with some pairs of languages. */
export function apertium(options: ApertiumOptions): Translate {
  return async (translation, signal) => {
    const { format, from, to, output } = translation;
    if (!formats.has(format)) {
      throw new WorkError(
        'unsupported',
        `${format} cannot be translated; supported formats: ${[...formats].join(', ')}.`,
      );
    }
    const pairs = await installedPairs(options.program);
    const pair = pairFor(pairs, from, to);
    if (pair === undefined) {
      throw new WorkError(
        'unsupported',
        `The language pair ${from}:${to} is not installed. Available: ${listed(pairs) || 'none'}.`,
      );
    }
    await run(options, pair, translation, signal);
    const { size } = await stat(output).catch(() => ({ size: 0 }));
    const isEmptied = size === 0 && (await stat(translation.input)).size > 0;
    if (isEmptied)
      throw new WorkError(
        'unreadable',
        'Apertium produced no output: the document is damaged, or not what its name says.',
      );
  };
}

/** The installed language pairs: listed again each time, since another may be installed at any time. */
async function installedPairs(program: string): Promise<Pair[]> {
  const child = spawn(program, ['-l'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  await once(child, 'close');
  return lines
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .flatMap((name) => {
      const [, from, to] = /^([a-z]{2,3}(?:_\w+)?)-([a-z]{2,3}(?:_\w+)?)$/.exec(name) ?? [];
      return from === undefined || to === undefined ? [] : [{ name, from, to }];
    });
}

async function run(
  { program, confinement, timeout }: ApertiumOptions,
  pair: Pair,
  { input, output, format }: Translation,
  signal: AbortSignal,
): Promise<void> {
  const late = AbortSignal.timeout(timeout);
  const enough = AbortSignal.any([signal, late]);
  const [first = program, ...rest] = [...confinement, program, '-u', '-f', format, pair.name, input, output];
  const child = spawn(first, rest, {
    cwd: dirname(output),
    stdio: 'ignore',
    detached: true,
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TMPDIR: dirname(output) },
  });
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It ended in this moment.
    }
  };
  enough.addEventListener('abort', kill, { once: true });
  if (enough.aborted) kill();
  const [code, killed] = await once(child, 'close');
  enough.removeEventListener('abort', kill);
  if (signal.aborted) throw signal.reason;
  if (late.aborted) throw new WorkError('timedOut', `Apertium did not finish it within ${timeout / 1000} seconds.`);
  if (killed !== null) throw new WorkError('crashed', `Apertium terminated while processing it (${killed}).`);
  if (code !== 0) throw new WorkError('unreadable', `Apertium cannot translate it (exit code ${code}).`);
}
