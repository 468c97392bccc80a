import type { QuerySet } from '../../api/query.ts';
import { csvOf } from './csv-text.ts';

/** Lets the browser keep a result set as a file; with a mark at its beginning, so that programs take it for UTF-8. */
export function saveCsv(set: QuerySet, name: string): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', csvOf(set)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
