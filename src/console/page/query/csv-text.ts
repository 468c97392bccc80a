import type { QuerySet } from '../../api/query.ts';

/** What spreadsheets take for a formula and would run, in the wide letters of East Asia too; numbers are none. */
const isFormula = (value: string): boolean =>
  /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(value) && !/^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(value);

const field = (given: string | null): string => {
  if (given === null) return '';
  const value = isFormula(given) ? `'${given}` : given;
  return /[",\r\n]|^$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
};

/**
 * Rows as RFC 4180 writes them; NULL is nothing at all, an empty text is quoted, and what looks like a formula begins
 * with an apostrophe.
 */
export const csvOf = ({ columns, rows }: QuerySet): string =>
  [columns.map(({ name }) => field(name)), ...rows.map((row) => row.map(field))]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');
