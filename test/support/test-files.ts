import { rmSync, writeFileSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { after, before, describe } from 'node:test';
import { root } from '../../scripts/source-files.ts';
import { fileIsOver } from './end-of-file.ts';
// What these two clean up is in use until the process ends, not until the first file does that loads them.
import './engines.ts';
import './session.ts';

const require = createRequire(import.meta.url);

/** Runs test files in this process, one after another. Each is a suite that is named by its path and has its own hooks. */
export function runFiles(files: readonly string[], running: string): void {
  for (const file of files) {
    describe(file, () => {
      // If the process dies, of loading the file or of its tests, this tells in which file.
      writeFileSync(running, file);
      before(() => writeFileSync(running, file));
      // Not import(): what a module declares belongs to the suite only while the suite's own function runs.
      require(resolve(root, file));
      after(() => fileIsOver(file));
    });
  }
  after(() => rmSync(running, { force: true }));
  // On a first run, processes that start before this one ends need not compile the same again.
  flushCompileCache();
}
