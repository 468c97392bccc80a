import type { StoredValue } from '../../base/stored.ts';
import { type Dialect, fragmentColumn } from '../compile.ts';
import type { Fragment } from '../sql.ts';
import { quoted } from '../sql.ts';

/**
 * SQLite binds NULL and all kinds of values alike. A fragment is bound as one JSON text, with an array per row unless
 * it has only one column, and read by json_each.
 */
export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  typed: false,
  placeholder: () => '?',
  fragment({ columns }) {
    const [only, second] = Object.keys(columns);
    if (only !== undefined && second === undefined) return `(select value as ${quoted(only)} from json_each(?))`;
    const picked = Object.keys(columns).map((name, index) => `value ->> ${index} as ${quoted(name)}`);
    return `(select ${picked.join(', ')} from json_each(?))`;
  },
  fragmentValues: (fragment) => [jsonOf(fragment)],
};

/** JSON.stringify does not support bigints, and SQLite reads 64-bit integers from JSON exactly. */
function jsonOf(fragment: Fragment): string {
  const columns = Object.keys(fragment.columns).map((name, index) => fragmentColumn(fragment, name, index));
  const [only = [], second] = columns;
  if (second === undefined) return `[${only.map(jsonValue).join(',')}]`;
  const rows = fragment.rows.map((_, row) => `[${columns.map((column) => jsonValue(column[row] ?? null)).join(',')}]`);
  return `[${rows.join(',')}]`;
}

function jsonValue(value: StoredValue): string {
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
