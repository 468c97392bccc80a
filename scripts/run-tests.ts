import { mkdtempDisposable } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres.ts';
import { dropTemplates } from '../test/support/prepared-data.ts';
import { type StepResult, step } from './step.ts';

/** What a run of tests is given. */
interface TestRun {
  readonly files: readonly string[];
  /** Options of node's test runner, besides those that every run has. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs test files. One PostgreSQL serves the whole run, and one folder keeps the data that servers begin with. */
export async function runTests(
  { files, options = [], environment = {} }: TestRun,
  notes: string[],
): Promise<StepResult> {
  await using cleanUp = new AsyncDisposableStack();
  const prepared = cleanUp.use(await mkdtempDisposable(join(tmpdir(), 'granary-prepared-'))).path;
  const url = await postgresFor(prepared, cleanUp).catch((error: unknown) => {
    console.log(error instanceof Error ? error.message : String(error));
    notes.push('PostgreSQL could not be started (see above), so the tests on it fail.');
  });
  const usual = [
    '--test',
    '--import=./test/support/end-of-file.ts',
    `--test-concurrency=${atOnce()}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
  ];
  // Awaited here: what is cleaned up at the end of this function is in use until then.
  return await step('Tests', 'node', [...usual, ...options, ...files], {
    GRANARY_TEST_PREPARED: prepared,
    ...(url === undefined ? {} : { GRANARY_TEST_POSTGRES: url }),
    ...environment,
  });
}

/** One more than processors: a test waits now and then for what it has set in motion. */
const atOnce = (): number => Math.max(2, availableParallelism()) + 1;

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
