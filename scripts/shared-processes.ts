import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './source-files.ts';

/** How a test file says that it needs a process for itself, and why. */
const alone = /^\/\/ Alone in its process: \S/m;

/** The processes of a run of tests. */
interface Processes {
  /** The files that node's test runner starts, a process each. */
  readonly entries: readonly string[];
  /** The test files that were running when their processes died. */
  interrupted(): string[];
}

/**
 * Lets test files share processes: loading the server takes a process longer than the tests of most files take, and what V8
 * has compiled for one file serves the next. What a process runs is said by a file in the given folder.
 */
export function shareProcesses(files: readonly string[], mostFiles: number, folder: string): Processes {
  const isAlone = (file: string): boolean => alone.test(readFileSync(resolve(root, file), 'utf8'));
  const { own = [], shared = [] } = Object.groupBy(files, (file) => (isAlone(file) ? 'own' : 'shared'));
  const groups = [...own.map((file) => [file]), ...inGroups(shared, mostFiles)].map((group, number) => {
    // node's test runner starts them in the order of their names.
    const path = join(folder, `process-${String(number).padStart(3, '0')}`);
    return { group, entry: `${path}.test.mjs`, running: `${path}.running` };
  });
  for (const { group, entry, running } of groups) writeFileSync(entry, entryText(group, running));
  return {
    entries: groups.map(({ entry }) => entry),
    interrupted: () => groups.flatMap(({ running }) => (existsSync(running) ? [readFileSync(running, 'utf8')] : [])),
  };
}

function inGroups(files: readonly string[], most: number): (readonly string[])[] {
  const starts = Array.from({ length: Math.ceil(files.length / most) }, (_, number) => number * most);
  return starts.map((start) => files.slice(start, start + most));
}

function entryText(files: readonly string[], running: string): string {
  const runner = pathToFileURL(join(root, 'test/support/test-files.ts')).href;
  return `import { runFiles } from '${runner}';\nrunFiles(${JSON.stringify(files)}, ${JSON.stringify(running)});\n`;
}
