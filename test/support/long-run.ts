import { describe } from 'node:test';
import { type EngineName, engineNames } from './engines.ts';

/** True in `npm run test:long`, which has the time for all variants of what `npm test` checks. */
export const isLongRun = process.env['GRANARY_TEST_LONG'] !== undefined;

/**
 * Runs a suite on SQLite, and in the long run of tests on PostgreSQL too: for programs over the server, whose rules are
 * checked on both engines by suites of their own.
 */
export function forEngineOfRun(suite: (engine: EngineName) => void): void {
  for (const name of isLongRun ? engineNames : (['sqlite'] as const)) describe(`on ${name}`, () => suite(name));
}
