import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { styleText } from 'node:util';
import { startPostgres } from '../test/support/postgres.ts';
import { dropTemplates } from '../test/support/prepared-data.ts';
import { provideClients } from './clients.ts';
import { reportFile } from './docs.ts';
import type { TestReport } from './rule-reporter.ts';
import { projectFiles } from './source-files.ts';
import { type StepResult, step, verdict } from './step.ts';

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
  results.push(await runTests(notes));
  results.push(await step('Docs', 'node', ['scripts/check-docs.ts']));
  summarize(results, notes);
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
}

/** One PostgreSQL serves the whole run, and one folder keeps the data that servers begin with. */
async function runTests(notes: string[]): Promise<StepResult> {
  await using cleanUp = new AsyncDisposableStack();
  const prepared = cleanUp.use(await mkdtempDisposable(join(tmpdir(), 'granary-prepared-'))).path;
  const url = await postgresFor(prepared, cleanUp).catch((error: unknown) => {
    console.log(error instanceof Error ? error.message : String(error));
    notes.push('PostgreSQL could not be started (see above), so the tests on it fail.');
  });
  return await testStep({
    GRANARY_TEST_PREPARED: prepared,
    ...(url === undefined ? {} : { GRANARY_TEST_POSTGRES: url }),
  });
}

/** The PostgreSQL that was given, left as it was found, or one of our own. */
async function postgresFor(prepared: string, cleanUp: AsyncDisposableStack): Promise<string> {
  const given = process.env['GRANARY_TEST_POSTGRES'];
  if (given !== undefined) {
    cleanUp.defer(() => dropTemplates(given, prepared));
    return given;
  }
  const postgres = await startPostgres({ fsync: false });
  cleanUp.defer(() => postgres.stop());
  return postgres.url;
}

function testStep(environment: Readonly<Record<string, string>>): Promise<StepResult> {
  const files = projectFiles('{src,test,scripts,examples}/**/*.test.ts');
  const options = [
    '--test',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    // A test that hangs is a test that fails, not a run without an end.
    `--test-timeout=${10 * 60_000}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/rule-reporter.ts',
    `--test-reporter-destination=${reportFile}`,
  ];
  return step('Tests', 'node', [...options, ...files], environment);
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
  for (const result of results) console.log(verdict(result));
  for (const [word, count] of Object.entries(totals)) console.log(`ℹ ${word} ${report?.counts[count] ?? 0}`);
}

function readReport(): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    // A run that was cut short leaves no report, and the step before has said so.
    return undefined;
  }
}

await checkAll();
