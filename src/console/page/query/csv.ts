import type { QuerySet } from '../../api/query.ts';

const field = (value: string | null): string => {
  if (value === null) return '';
  return /[",\r\n]|^$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
};

/** Rows as RFC 4180 writes them; NULL is nothing at all, an empty text is quoted. */
const csvOf = ({ columns, rows }: QuerySet): string =>
  [columns.map(({ name }) => field(name)), ...rows.map((row) => row.map(field))]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');

/** Lets the browser keep a result set as a file; with a mark at its beginning, so that programs take it for UTF-8. */
export function saveCsv(set: QuerySet, name: string): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', csvOf(set)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
