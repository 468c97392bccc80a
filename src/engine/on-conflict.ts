import { quoted } from './sql.ts';

/**
 * How an insert goes on where its rows may take the place of others: those with the same values in the columns of a key.
 * A row that is there just as it is given is not written again.
 */
export function onConflict(table: string, columns: readonly string[], key: readonly string[] | undefined): string {
  if (key === undefined) return '';
  const changed = columns.filter((column) => !key.includes(column)).map(quoted);
  const target = ` on conflict (${key.map(quoted).join(', ')}) do`;
  if (changed.length === 0) return `${target} nothing`;
  const set = changed.map((column) => `${column} = excluded.${column}`);
  const differs = changed.map((column) => `${quoted(table)}.${column} is distinct from excluded.${column}`);
  return `${target} update set ${set.join(', ')} where ${differs.join(' or ')}`;
}
