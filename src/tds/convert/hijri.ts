/** The days from 0001-01-01 to the first day of the Hijri era, minus one so that day counts start at 1. */
const epoch = 227_014;
const names = [
  'محرم',
  'صفر',
  'ربيع الاول',
  'ربيع الثاني',
  'جمادى الاولى',
  'جمادى الثانية',
  'رجب',
  'شعبان',
  'رمضان',
  'شوال',
  'ذو القعدة',
  'ذو الحجة',
];

/** The date in the tabular Islamic calendar, which CONVERT's styles 130 and 131 use. */
export function hijriOf(day: number): { year: number; month: number; day: number; name: string } {
  const since = day - epoch;
  const year = Math.floor((30 * since + 10_646) / 10_631);
  const inYear = since - startOf(year);
  const month = Math.min(12, Math.ceil((inYear - 29 + 0.0001) / 29.5) + 1);
  const inMonth = inYear - Math.ceil(29.5 * (month - 1)) + 1;
  return { year, month, day: inMonth, name: names[month - 1] ?? '' };
}

const startOf = (year: number): number => (year - 1) * 354 + Math.floor((3 + 11 * year) / 30);
