import type { StoredValue } from '../../../base/stored.ts';

/** A column of values in PostgreSQL's array syntax. */
export const columnText = (values: readonly StoredValue[]): string => `{${values.map(elementText).join(',')}}`;

function elementText(value: StoredValue): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  if (typeof value !== 'string') return String(value);
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
