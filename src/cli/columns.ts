import { onOneLine } from '../base/text/without-orders.ts';

/** Rows as text in columns, each as wide as its longest value, under a heading. */
export function columns(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows.map((row) => row.map(onOneLine))];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((value, column) => value.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => `${line(row).trimEnd()}\n`).join('');
}
