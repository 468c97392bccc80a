import type { DateOrder } from '../tds/convert/parse-date.ts';

/**
 * A language of SET LANGUAGE; only its order of dates and first day of the week matter here: names of months stay
 * English.
 */
interface Language {
  readonly id: number;
  readonly name: string;
  readonly alias: string;
  readonly dateFormat: DateOrder;
  readonly dateFirst: number;
}

const rows: readonly (readonly [name: string, alias: string, dateFormat: DateOrder, dateFirst: number])[] = [
  ['us_english', 'English', 'mdy', 7],
  ['Deutsch', 'German', 'dmy', 1],
  ['Français', 'French', 'dmy', 1],
  ['日本語', 'Japanese', 'ymd', 7],
  ['Dansk', 'Danish', 'dmy', 1],
  ['Español', 'Spanish', 'dmy', 1],
  ['Italiano', 'Italian', 'dmy', 1],
  ['Nederlands', 'Dutch', 'dmy', 1],
  ['Norsk', 'Norwegian', 'dmy', 1],
  ['Português', 'Portuguese', 'dmy', 7],
  ['Suomi', 'Finnish', 'dmy', 1],
  ['Svenska', 'Swedish', 'ymd', 1],
  ['čeština', 'Czech', 'dmy', 1],
  ['magyar', 'Hungarian', 'ymd', 1],
  ['polski', 'Polish', 'dmy', 1],
  ['română', 'Romanian', 'dmy', 1],
  ['hrvatski', 'Croatian', 'ymd', 1],
  ['slovenčina', 'Slovak', 'dmy', 1],
  ['slovenski', 'Slovenian', 'dmy', 1],
  ['ελληνικά', 'Greek', 'dmy', 1],
  ['български', 'Bulgarian', 'dmy', 1],
  ['русский', 'Russian', 'dmy', 1],
  ['Türkçe', 'Turkish', 'dmy', 1],
  ['British', 'British English', 'dmy', 1],
  ['eesti', 'Estonian', 'dmy', 1],
  ['latviešu', 'Latvian', 'ymd', 1],
  ['lietuvių', 'Lithuanian', 'ymd', 1],
  ['Português (Brasil)', 'Brazilian', 'dmy', 7],
  ['繁體中文', 'Traditional Chinese', 'ymd', 7],
  ['한국어', 'Korean', 'ymd', 7],
  ['简体中文', 'Simplified Chinese', 'ymd', 7],
  ['Arabic', 'Arabic', 'dmy', 1],
  ['ไทย', 'Thai', 'dmy', 7],
  ['norsk (bokmål)', 'Bokmål', 'dmy', 1],
];

/** The languages of SQL Server, by their number. */
const languages: readonly Language[] = rows.map(([name, alias, dateFormat, dateFirst], id) => ({
  id,
  name,
  alias,
  dateFormat,
  dateFirst,
}));

/** The language of that name or alias. */
export function languageOf(name: string): Language | undefined {
  const wanted = name.trim().toLowerCase();
  return languages.find((each) => each.name.toLowerCase() === wanted || each.alias.toLowerCase() === wanted);
}
