import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres.ts';
import { dropTemplates } from '../test/support/prepared-data.ts';
import { makeRunFolder } from './run-folder.ts';
import { shareProcesses } from './shared-processes.ts';
import { type StepResult, step } from './step.ts';

/** What a run of tests is given. */
interface TestRun {
  readonly files: readonly string[];
  /** Options of node's test runner, besides those that every run has. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether its data is small enough to lie in memory, and its files are short enough to share processes. */
  readonly isShort?: boolean;
}

/** Runs test files. One PostgreSQL serves the whole run, and one folder keeps the data that servers begin with. */
export async function runTests(
  { files, options = [], environment = {}, isShort = false }: TestRun,
  notes: string[],
): Promise<StepResult> {
  await using cleanUp = new AsyncDisposableStack();
  const { path: folder } = cleanUp.use(await makeRunFolder(isShort));
  const prepared = join(folder, 'prepared');
  await mkdir(prepared);
  const url = await postgresFor(folder, prepared, cleanUp).catch((error: unknown) => {
    console.log(error instanceof Error ? error.message : String(error));
    notes.push('PostgreSQL could not be started (see above), so the tests on it fail.');
  });
  const usual = [
    '--test',
    `--test-concurrency=${atOnce()}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
  ];
  const processes = shareProcesses(files, isShort ? filesAProcess : 1, folder);
  const result = await step('Tests', 'node', [...usual, ...options, ...processes.entries], {
    TMPDIR: folder,
    GRANARY_TEST_PREPARED: prepared,
    ...(url === undefined ? {} : { GRANARY_TEST_POSTGRES: url }),
    ...environment,
  });
  for (const file of processes.interrupted())
    notes.push(`A process ended in the middle of ${file}: what it would have run after that is missing.`);
  return result;
}

/** Enough that loading modules hardly counts, and few enough that all processors are busy to the end. */
const filesAProcess = 12;

/** One more than processors: a test waits now and then for what it has set in motion. */
const atOnce = (): number => Math.max(2, availableParallelism()) + 1;

/** The PostgreSQL that was given, left as it was found, or one of our own. */
async function postgresFor(place: string, prepared: string, cleanUp: AsyncDisposableStack): Promise<string> {
  const given = process.env['GRANARY_TEST_POSTGRES'];
  if (given !== undefined) {
    cleanUp.defer(() => dropTemplates(given, prepared));
    return given;
  }
  const postgres = await startPostgres({ fsync: false, place });
  cleanUp.defer(() => postgres.stop());
  return postgres.url;
}
