import { byName } from '../../base/by-name.ts';
import type { IsolationLevel } from '../options.ts';

/** How a statement reads a table of tempdb: by its isolation level, or by a hint. */
export type Reading = IsolationLevel | 'update' | 'exclusive';

const byHint: Readonly<Record<string, Reading>> = byName({
  NOLOCK: 'read uncommitted',
  READUNCOMMITTED: 'read uncommitted',
  READCOMMITTED: 'read committed',
  READCOMMITTEDLOCK: 'read committed',
  REPEATABLEREAD: 'repeatable read',
  HOLDLOCK: 'serializable',
  SERIALIZABLE: 'serializable',
  UPDLOCK: 'update',
  XLOCK: 'exclusive',
  TABLOCKX: 'exclusive',
});

/** From the weakest to the strongest: of several hints the strongest counts. */
const order: readonly Reading[] = [
  'read uncommitted',
  'read committed',
  'snapshot',
  'repeatable read',
  'serializable',
  'update',
  'exclusive',
];

/** How a table with these hints is read under an isolation level. */
export function readingOf(hints: readonly string[], isolation: IsolationLevel): Reading {
  const asked = hints.flatMap((hint) => byHint[hint] ?? []);
  return asked.reduce(
    (strongest, each) => (order.indexOf(each) > order.indexOf(strongest) ? each : strongest),
    asked[0] ?? isolation,
  );
}
