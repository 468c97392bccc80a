/** The order of the parts of a numeric date; SET DATEFORMAT. */
export type DateOrder = 'mdy' | 'dmy' | 'ymd' | 'ydm' | 'myd' | 'dym';

/** A date as written, which may not exist in the calendar. */
interface ParsedDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The years 00 to 49 belong to this century, as with "two digit year cutoff" 2049. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

function monthOf(word: string): number | undefined {
  const name = word.toLowerCase();
  const index = monthNames.findIndex((month) => month === name || (name.length === 3 && month.startsWith(name)));
  return index < 0 ? undefined : index + 1;
}

/** Parses a date literal without a time; undefined if it is not one. */
export function parseDate(text: string, order: DateOrder): ParsedDate | undefined {
  const digits = /^\d+$/.exec(text);
  if (digits !== null) return unseparated(text);
  return yearFirst(text) ?? numeric(text, order) ?? alphabetic(text);
}

function unseparated(text: string): ParsedDate | undefined {
  if (text.length === 4) return { year: Number(text), month: 1, day: 1 };
  if (text.length !== 6 && text.length !== 8) return undefined;
  const year = text.slice(0, -4);
  return { year: fullYear(year), month: Number(text.slice(-4, -2)), day: Number(text.slice(-2)) };
}

function yearFirst(text: string): ParsedDate | undefined {
  const found = /^(\d{4})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{1,2})$/.exec(text);
  return found === null ? undefined : { year: Number(found[1]), month: Number(found[3]), day: Number(found[4]) };
}

function numeric(text: string, order: DateOrder): ParsedDate | undefined {
  const found = /^(\d{1,4})\s*[-/.]\s*(\d{1,4})\s*[-/.]\s*(\d{1,4})$/.exec(text);
  if (found === null) return undefined;
  const parts = [found[1] ?? '', found[2] ?? '', found[3] ?? ''];
  const long = parts.findIndex((part) => part.length === 4);
  const letters = long < 0 ? order : withYearAt(order, long);
  const part = (letter: string) => parts[letters.indexOf(letter)] ?? '';
  if (part('m').length > 2 || part('d').length > 2 || part('y').length === 3 || part('y').length === 1)
    return undefined;
  return { year: fullYear(part('y')), month: Number(part('m')), day: Number(part('d')) };
}

/** A four-digit number is the year in any position; month and day keep their order. */
function withYearAt(order: DateOrder, index: number): string {
  const rest = order.replace('y', '');
  return `${rest.slice(0, index)}y${rest.slice(index)}`;
}

function alphabetic(text: string): ParsedDate | undefined {
  const words = text
    .replace(/[,\-/.]/g, ' ')
    .replace(/([a-z])(\d)/gi, '$1 $2')
    .replace(/(\d)([a-z])/gi, '$1 $2')
    .trim()
    .split(/\s+/);
  const at = words.findIndex((word) => monthOf(word) !== undefined);
  const month = monthOf(words[at] ?? '');
  const numbers = words.filter((_, index) => index !== at);
  if (month === undefined || numbers.length < 1 || numbers.length > 2 || !numbers.every((n) => /^\d{1,4}$/.test(n)))
    return undefined;
  const [first = '', second] = numbers;
  if (second === undefined) return first.length === 4 ? { year: Number(first), month, day: 1 } : undefined;
  const yearAt = first.length === 4 ? 0 : 1;
  const year = numbers[yearAt] ?? '';
  const day = numbers[1 - yearAt] ?? '';
  if (day.length > 2 || year.length === 3) return undefined;
  return { year: fullYear(year), month, day: Number(day) };
}
