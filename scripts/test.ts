import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { styleText } from 'node:util';
import { provideClients } from './clients.ts';
import { reportFile } from './docs.ts';
import { runTests } from './run-tests.ts';
import { readReport, runFailedAgain } from './second-run.ts';
import { projectFiles } from './source-files.ts';
import { type StepResult, step, verdict } from './step.ts';

const minute = 60_000;

/** Runs everything that checks the project, in order, and sums it up; the exit code tells whether all of it passed. */
async function checkAll(): Promise<void> {
  const results: StepResult[] = [
    await step('Format and lint', 'biome', ['check', '--error-on-warnings', '.']),
    await step('Types', 'tsc', []),
    await step('Types of pages', 'tsc', ['-p', 'tsconfig.page.json']),
    await step('Direction of imports', 'node', ['scripts/check-imports.ts']),
    await step('Exports', 'node', ['scripts/check-exports.ts']),
  ];
  const notes = provideClients();
  rmSync(reportFile, { force: true });
  mkdirSync(dirname(reportFile), { recursive: true });
  const files = projectFiles('{src,test,scripts,examples}/**/*.test.ts');
  const report = ['--test-reporter=./scripts/rule-reporter.ts', `--test-reporter-destination=${reportFile}`];
  // A test that hangs is a test that fails, not a run without an end.
  const options = [`--test-timeout=${5 * minute}`, ...report];
  const first = await runTests({ files, options, isShort: true }, notes);
  results.push(await runFailedAgain(first, options, notes));
  results.push(await step('Docs', 'node', ['scripts/check-docs.ts']));
  summarize(results, notes);
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
}

/** node:test's own words for its totals, and the names under which it hands them over. */
const totals = {
  tests: 'tests',
  suites: 'suites',
  pass: 'passed',
  fail: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
  todo: 'todo',
};

function summarize(results: readonly StepResult[], notes: readonly string[]): void {
  console.log(styleText('bold', '\n── Summary'));
  for (const note of notes) console.log(`  ${note}`);
  const report = readReport();
  for (const { name, reason } of report?.skipped ?? []) console.log(`  skipped: ${name} (${reason})`);
  for (const { file, milliseconds } of report?.slowest ?? []) {
    console.log(`  ${(milliseconds / 1000).toFixed(1).padStart(5)} s  ${file}`);
  }
  for (const result of results) console.log(verdict(result));
  for (const [word, count] of Object.entries(totals)) console.log(`ℹ ${word} ${report?.counts[count] ?? 0}`);
}

await checkAll();
