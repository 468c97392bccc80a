import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { clientsPage } from './clients-page.ts';
import { configurationPage } from './configuration-page.ts';
import { conformancePage } from './conformance-page.ts';
import { decisionsPage, readingsPage } from './index-pages.ts';
import type { TestReport } from './rule-reporter.ts';
import { root } from './source-files.ts';
import { tsqlPage } from './tsql-page.ts';

/** Where the last whole test run left its report. */
export const reportFile = `${root}/.granary/test-report.json`;

/** Every page that is made, not written: its path and its text; the conformance page needs a test run. */
export function madePages(): Map<string, string> {
  const pages = new Map([
    ['docs/clients.md', clientsPage()],
    ['docs/configuration.md', configurationPage()],
    ['docs/decisions.md', decisionsPage()],
    ['docs/readings.md', readingsPage()],
    ['docs/tsql.md', tsqlPage()],
  ]);
  if (existsSync(reportFile)) {
    const report: TestReport = JSON.parse(readFileSync(reportFile, 'utf8'));
    // What a machine skips for want of a program is checked on others: the page is the same everywhere.
    pages.set('docs/conformance.md', conformancePage([...report.passed, ...report.skipped.map(({ name }) => name)]));
  }
  return pages;
}

/** The made pages that are not what they should be. */
export function stalePages(): string[] {
  return [...madePages()].filter(([path, text]) => readPage(path) !== text).map(([path]) => path);
}

function readPage(path: string): string | undefined {
  return existsSync(`${root}/${path}`) ? readFileSync(`${root}/${path}`, 'utf8') : undefined;
}

if (import.meta.main) {
  for (const [path, text] of madePages()) {
    if (readPage(path) !== text) console.log(`${path} written`);
    writeFileSync(`${root}/${path}`, text);
  }
  if (!existsSync(reportFile)) console.log('docs/conformance.md is made from a test run: npm test first.');
}
