import type { TestEvent } from 'node:test/reporters';

/** What a test run tells the pages that are made from it. */
export interface TestReport {
  /** The names of the tests that passed. */
  readonly passed: readonly string[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly milliseconds: number;
}

/** A reporter of node:test that writes one JSON document when the run is over. */
// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from a module's default export.
export default async function* ruleReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const passed = new Set<string>();
  const skipped = new Map<string, string>();
  let counts: Readonly<Record<string, number>> = {};
  let milliseconds = 0;
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.details.type !== 'suite') {
      if (data.skip !== undefined && data.skip !== false) skipped.set(data.name, String(data.skip));
      else passed.add(data.name);
    }
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
  };
  yield `${JSON.stringify(report)}\n`;
}
