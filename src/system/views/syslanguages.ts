import { type Columns, orNull } from '../../procedure/declare.ts';
import { image, int, nchar, nvarchar, smallint, tinyint, varbinary } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';
import { view } from './view.ts';

const languages = {
  langid: smallint,
  dateformat: nchar(3),
  datefirst: tinyint,
  upgrade: orNull(int),
  name: sysname,
  alias: sysname,
  months: orNull(nvarchar(372)),
  shortmonths: orNull(nvarchar(132)),
  days: orNull(nvarchar(217)),
  lcid: int,
  msglangid: smallint,
} satisfies Columns;

/** The names of months or days in English, from the runtime's own tables. */
const names = (count: number, options: Intl.DateTimeFormatOptions, at: (n: number) => Date): string => {
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  return Array.from({ length: count }, (_, n) => format.format(at(n))).join(',');
};
const monthOf = (n: number) => new Date(Date.UTC(2024, n, 1));
/** A week from Monday on, as SQL Server lists it: 2024-01-01 was a Monday. */
const dayOf = (n: number) => new Date(Date.UTC(2024, 0, 1 + n));

const english = {
  upgrade: 0,
  months: names(12, { month: 'long' }, monthOf),
  shortmonths: names(12, { month: 'short' }, monthOf),
  days: names(7, { weekday: 'long' }, dayOf),
  msglangid: 1033,
};

/** The languages of messages: American English, and British for its dates. */
export const syslanguages = view('sys', 'syslanguages', languages, () => [
  { langid: 0, dateformat: 'mdy', datefirst: 7, name: 'us_english', alias: 'English', lcid: 1033, ...english },
  { langid: 23, dateformat: 'dmy', datefirst: 1, name: 'British', alias: 'British English', lcid: 2057, ...english },
]);

const charsets = {
  type: smallint,
  id: tinyint,
  csid: tinyint,
  status: orNull(smallint),
  name: sysname,
  description: orNull(nvarchar(255)),
  binarydefinition: orNull(varbinary(6000)),
  definition: orNull(image),
} satisfies Columns;

/** Rows of type 1001 are code pages, 2001 sort orders; jTDS looks here for the page of varchar. */
export const syscharsets = view('sys', 'syscharsets', charsets, () => [
  {
    type: 1001,
    id: 1,
    csid: 0,
    status: 0,
    name: 'iso_1',
    description: 'ISO 8859-1 (Latin-1) - Western European 8-bit character set.',
    binarydefinition: null,
    definition: null,
  },
  {
    type: 2001,
    id: 52,
    csid: 1,
    status: 0,
    name: 'nocase_iso',
    description: 'Case-insensitive dictionary sort order for Western European languages.',
    binarydefinition: null,
    definition: null,
  },
]);
