import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { longPackages } from '../test/clients/packages.ts';
import { provideClients } from './clients.ts';
import { runTests } from './run-tests.ts';
import { projectFiles, root } from './source-files.ts';
import { verdict } from './step.ts';

/** What makes tests of `npm test` long, or lets those run that it skips: variables of the environment and their sizes. */
const campaigns: Readonly<Record<string, string>> = {
  GRANARY_TEST_LONG: '1',
  GRANARY_TEST_LARGE: '1',
  GRANARY_TEST_SAMBA: '1',
  GRANARY_TEST_PACKAGE: '1',
  GRANARY_TEST_CONTEST: '100000',
  GRANARY_TEST_CRAWL_PAGES: '2000',
  GRANARY_TEST_QUERIES: '2000',
  GRANARY_CONCURRENT_ITEMS: '10000',
  GRANARY_CLAIMED_ITEMS: '2000',
  GRANARY_MODEL_RUNS: '20',
};

/** The test files that heed one of the variables, themselves or through a helper in their own folder. */
function campaignFiles(): string[] {
  const heeds = (path: string) =>
    Object.keys(campaigns).some((name) => readFileSync(join(root, path), 'utf8').includes(name));
  const helpers = projectFiles('test/**/*.ts').filter((path) => !path.endsWith('.test.ts') && heeds(path));
  const names = helpers.map((path) => path.slice(path.lastIndexOf('/') + 1));
  return projectFiles('{src,test}/**/*.test.ts').filter(
    (path) => heeds(path) || names.some((name) => readFileSync(join(root, path), 'utf8').includes(`/${name}'`)),
  );
}

const notes = provideClients(longPackages);
const given = Object.fromEntries(Object.entries(campaigns).map(([name, size]) => [name, process.env[name] ?? size]));
const result = await runTests({ files: campaignFiles(), environment: given }, notes);
for (const note of notes) console.log(`  ${note}`);
console.log(verdict(result));
process.exitCode = result.ok ? 0 : 1;
