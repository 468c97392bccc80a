import { readFileSync, writeFileSync } from 'node:fs';
import { reportFile } from './docs.ts';
import type { TestReport } from './rule-reporter.ts';
import { runTests } from './run-tests.ts';
import type { StepResult } from './step.ts';

/** More files than this do not fail by chance. */
const mostFiles = 2;

export function readReport(): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    // A run that was cut short leaves no report, and the step before has said so.
    return undefined;
  }
}

/**
 * Runs the few files that failed among thousands of tests once more, alone on the machine: a test that waited too long for a
 * processor, or an unlucky seed, must not hide what the others say. The summary names each file that failed, however often.
 */
export async function runFailedAgain(
  first: StepResult,
  options: readonly string[],
  notes: string[],
): Promise<StepResult> {
  const report = readReport();
  if (first.ok || report === undefined || report.failed.length === 0 || report.failed.length > mostFiles) return first;
  // What fails outside of a file's tests is told by no file.
  if (notes.some((note) => note.startsWith('A process ended'))) return first;
  const second = await runTests({ files: report.failed, options }, notes);
  const again = readReport();
  const result = { ...second, seconds: first.seconds + second.seconds };
  for (const file of report.failed)
    notes.push(`FAILED in the first run, ${second.ok ? 'passed' : 'failed'} alone: ${file}`);
  if (second.ok && again !== undefined) writeFileSync(reportFile, `${JSON.stringify(together(report, again))}\n`);
  else writeFileSync(reportFile, `${JSON.stringify(report)}\n`);
  return result;
}

/** What both runs tell: tests that passed the second time have passed. */
function together(first: TestReport, second: TestReport): TestReport {
  const { passed = 0, failed = 0 } = first.counts;
  return {
    ...first,
    passed: [...new Set([...first.passed, ...second.passed])],
    counts: { ...first.counts, passed: passed + failed, failed: 0 },
  };
}
