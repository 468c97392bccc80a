import { writeSync } from 'node:fs';
import { after } from 'node:test';

const patience = 60_000;

/** What was active in the process when the tests of each of its files were over. */
const left = new Map<string, string>();

/** Notes what the tests of a file leave behind. */
export function fileIsOver(file: string): void {
  left.set(file, active());
}

function active(): string {
  const kinds = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind));
  return kinds.map(([kind, all = []]) => `${all.length} ${kind}`).join(', ');
}

/**
 * A process whose tests are over and that does not end (a server that was not stopped, a loop that goes on after its test ran
 * out of time) fails with what keeps it, where it would hold up the whole run for ever.
 */
after(() => {
  // Does not keep the process itself: it comes to pass only where something else does.
  setTimeout(() => {
    const lines = [...left].map(([file, then]) => `  after ${file}: ${then}\n`);
    writeSync(2, `the tests of ${process.argv[1]} are over, and its process goes on: ${active()}\n${lines.join('')}`);
    process.exit(1);
  }, patience).unref();
});
