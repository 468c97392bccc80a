import { quoted } from './sql.ts';

/** How an insert goes on where its rows may take the place of others: those with the same values in the columns of a key. */
export function onConflict(columns: readonly string[], key: readonly string[] | undefined): string {
  if (key === undefined) return '';
  const changed = columns.filter((column) => !key.includes(column)).map(quoted);
  const action =
    changed.length === 0
      ? 'nothing'
      : `update set ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}`;
  return ` on conflict (${key.map(quoted).join(', ')}) do ${action}`;
}
