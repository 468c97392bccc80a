import type { RowsByView } from './rows.ts';

/** The names of months or days in English, from the runtime's own tables. */
const names = (count: number, options: Intl.DateTimeFormatOptions, at: (n: number) => Date): string => {
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  return Array.from({ length: count }, (_, n) => format.format(at(n))).join(',');
};
const monthOf = (n: number) => new Date(Date.UTC(2024, n, 1));
/** A week from Monday on, as SQL Server lists it: 2024-01-01 was a Monday. */
const dayOf = (n: number) => new Date(Date.UTC(2024, 0, 1 + n));

const english = {
  months: names(12, { month: 'long' }, monthOf),
  shortmonths: names(12, { month: 'short' }, monthOf),
  days: names(7, { weekday: 'long' }, dayOf),
};

/** The languages of messages: American English, and British for its dates. */
export const languageRows: RowsByView = {
  'sys.syslanguages': () => [
    { langid: 0, dateformat: 'mdy', datefirst: 7, name: 'us_english', alias: 'English', lcid: 1033, ...english },
    { langid: 23, dateformat: 'dmy', datefirst: 1, name: 'British', alias: 'British English', lcid: 2057, ...english },
  ],
};
