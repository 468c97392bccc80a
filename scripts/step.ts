import { spawn } from 'node:child_process';
import { styleText } from 'node:util';
import { root } from './source-files.ts';

/** How one step of a check ended. */
export interface StepResult {
  readonly title: string;
  readonly ok: boolean;
  readonly seconds: number;
}

/** Runs a program of the project in its root, its output shown as it comes, and tells how it ended. */
export async function step(
  title: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<StepResult> {
  console.log(styleText('bold', `\n── ${title}`));
  const began = performance.now();
  const code = await exitCode(command, args, environment);
  return { title, ok: code === 0, seconds: (performance.now() - began) / 1000 };
}

function exitCode(command: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
  return new Promise<number>((resolve) => {
    const env = {
      ...process.env,
      PATH: `${root}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
      // Every test file is a process that loads most of the sources: what was stripped of its types once is kept.
      NODE_COMPILE_CACHE: `${root}/node_modules/.cache/granary`,
      ...environment,
    };
    const child = spawn(command, [...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
    child.on('error', (error) => {
      console.log(error.message);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** One line on how a step ended. */
export function verdict({ title, ok, seconds }: StepResult): string {
  const mark = ok ? styleText('green', '✔') : styleText('red', '✖');
  return `${mark} ${title} (${seconds.toFixed(1)} s)`;
}
