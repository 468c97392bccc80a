import { writeSync } from 'node:fs';
import { after } from 'node:test';

const patience = 60_000;

/**
 * Loaded before every test file: one whose tests are over and whose process does not end (a server that was not stopped, a loop
 * that goes on after its test ran out of time) fails with what keeps it, where it would hold up the whole run for ever.
 */
after(() => {
  // Does not keep the process itself: it comes to pass only where something else does.
  setTimeout(() => {
    const kept = [...new Set(process.getActiveResourcesInfo())].join(', ');
    writeSync(2, `the tests of ${process.argv[1]} are over, and its process goes on: ${kept}\n`);
    process.exit(1);
  }, patience).unref();
});
