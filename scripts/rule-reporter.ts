import type { TestEvent } from 'node:test/reporters';

/** What a test run tells the pages that are made from it. */
export interface TestReport {
  /** The names of the tests that passed. */
  readonly passed: readonly string[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly milliseconds: number;
  /** The files that took longest, and their milliseconds. */
  readonly slowest: readonly { readonly file: string; readonly milliseconds: number }[];
  /** The files with a test that failed. */
  readonly failed: readonly string[];
}

const mostSlowest = 12;

/** Whether it is the suite of a test file, see test/support/test-files.ts. */
const isTestFile = ({ name, nesting }: { name: string; nesting: number }): boolean =>
  nesting === 0 && name.endsWith('.test.ts');

/** A reporter of node:test that writes one JSON document when the run is over. */
// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from a module's default export.
export default async function* ruleReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const passed = new Set<string>();
  const skipped = new Map<string, string>();
  const times = new Map<string, number>();
  const failed: string[] = [];
  let counts: Readonly<Record<string, number>> = {};
  let milliseconds = 0;
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.details.type !== 'suite') {
      if (data.skip !== undefined && data.skip !== false) skipped.set(data.name, String(data.skip));
      else passed.add(data.name);
    }
    if ((type === 'test:pass' || type === 'test:fail') && isTestFile(data))
      times.set(data.name, data.details.duration_ms);
    if (type === 'test:fail' && isTestFile(data)) failed.push(data.name);
    // The summary of the whole run is the one that belongs to no file.
    if (type === 'test:summary' && data.file === undefined) {
      counts = { ...data.counts };
      milliseconds = data.duration_ms;
    }
  }
  const report: TestReport = {
    passed: [...passed],
    skipped: [...skipped].map(([name, reason]) => ({ name, reason })),
    counts,
    milliseconds,
    slowest: [...times]
      .map(([file, took]) => ({ file, milliseconds: Math.round(took) }))
      .sort((one, other) => other.milliseconds - one.milliseconds)
      .slice(0, mostSlowest),
    failed,
  };
  yield `${JSON.stringify(report)}\n`;
}
