import { type TextRules, textRules } from '../../base/text/collation.ts';
import { codePageOf } from './collation.ts';
import { type CodePageNumber, designators, sqlCollations } from './collation-designators.ts';

/** The properties of a collation that COLLATIONPROPERTY returns. */
interface CollationFacts {
  /** As spelled by SQL Server. */
  readonly name: string;
  readonly codePage: CodePageNumber;
  readonly locale: number;
  /** What comparisons ignore, in Windows' encoding: case 1, accents 2, kana 0x10000, width 0x20000. */
  readonly comparisonStyle: number;
  /** 0 for the first version, 1 for 90, 2 for 100, 3 for 140. */
  readonly version: number;
  /** 0 for a Windows collation. */
  readonly sortId: number;
}

/** A named collation: how text compares under it, and its encoding on the wire. */
export interface Collation extends TextRules, CollationFacts {
  /** The five bytes of MS-TDS 2.2.5.1.2. */
  readonly bytes: Uint8Array;
  /** The code page of char and varchar. */
  readonly page: string;
  /** True if COLLATE was applied to the expression itself, which takes precedence over a column's collation. */
  readonly explicit?: true;
}

const pattern =
  /^(?<designator>\w+?)(?:_(?<version>80|90|100|140))?_(?:(?<binary>BIN2?)|(?<words>C[IS]_A[IS](?:_KS)?(?:_WS)?)(?<more>(?:_VSS)?(?:_SC)?))(?<utf8>_UTF8)?$/i;
const bits = {
  ignoreCase: 0x10,
  ignoreAccent: 0x20,
  ignoreKana: 0x40,
  ignoreWidth: 0x80,
  binary: 0x100,
  binary2: 0x200,
  utf8: 0x400,
};
const versions: Readonly<Record<number, number>> = { 80: 0, 90: 1, 100: 2, 140: 3 };

function bytesOf(locale: number, flags: number, version: number, sortId: number): Uint8Array {
  const bytes = Buffer.alloc(5);
  // The flags are above the twenty bits of the locale, the version is in the top four.
  bytes.writeUInt32LE(((locale & 0xfffff) | (flags << 16) | (version << 28)) >>> 0);
  bytes[4] = sortId;
  return bytes;
}

function flagsOf(binary: string | undefined, words: ReadonlySet<string>, utf8: boolean): number {
  const wide = utf8 ? bits.utf8 : 0;
  if (binary !== undefined) return wide | (binary === 'BIN2' ? bits.binary2 : bits.binary);
  return (
    wide |
    (words.has('CI') ? bits.ignoreCase : 0) |
    (words.has('AI') ? bits.ignoreAccent : 0) |
    (words.has('KS') ? 0 : bits.ignoreKana) |
    (words.has('WS') ? 0 : bits.ignoreWidth)
  );
}

/** Windows' comparison style for flags in the wire encoding. */
const styleOf = (flags: number): number =>
  (flags & bits.ignoreCase ? 0x1 : 0) |
  (flags & bits.ignoreAccent ? 0x2 : 0) |
  (flags & bits.ignoreKana ? 0x10000 : 0) |
  (flags & bits.ignoreWidth ? 0x20000 : 0);

/** A cache of collations by name; unknown names are not cached, since there is no limit to them. */
const known = new Map<string, Collation>();
const longestName = 128;

/** The collation of that name; undefined if there is none. */
export function collationNamed(name: string): Collation | undefined {
  const key = name.slice(0, longestName).toLowerCase();
  const before = known.get(key);
  if (before !== undefined || name.length > longestName) return before;
  const found = read(name);
  if (found !== undefined) known.set(key, found);
  return found;
}

/** Indexed by lower-case name, since clients write names in any case. */
const byLowerName = <T>(table: Readonly<Record<string, T>>): ReadonlyMap<string, readonly [name: string, T]> =>
  new Map(Object.entries(table).map(([name, value]) => [name.toLowerCase(), [name, value]]));
const windowsNames = byLowerName(designators);
const sqlNames = byLowerName(sqlCollations);

function read(text: string): Collation | undefined {
  const groups = pattern.exec(text)?.groups;
  if (!groups) return undefined;
  const suffix = (groups['words'] ?? '').toUpperCase();
  const binary = groups['binary']?.toUpperCase();
  const sql = sqlNames.get(text.toLowerCase());
  if (sql !== undefined) return made(sql[0], { ...sql[1], version: 80 }, binary, suffix, false);
  const version = Number(groups['version'] ?? 80);
  const windows = windowsNames.get(groups['designator']?.toLowerCase() ?? '');
  if (windows === undefined || !windows[1].versions.includes(version)) return undefined;
  const more = (groups['more'] ?? '').toUpperCase();
  const utf8 = groups['utf8'] !== undefined;
  const [designator, { locale, page }] = windows;
  if (!isVariant(designator, version, binary, more, utf8)) return undefined;
  const ending = `${binary ?? suffix}${more}${utf8 ? '_UTF8' : ''}`;
  const name = `${designator}${version === 80 ? '' : `_${version}`}_${ending}`;
  return made(name, { locale, page: utf8 ? 65001 : page, version, sortId: 0 }, binary, suffix, utf8);
}

/**
 * The suffixes that a version allows: supplementary characters came with 90, variation selectors with 140, and UTF-8
 * requires either.
 */
function isVariant(
  designator: string,
  version: number,
  binary: string | undefined,
  more: string,
  utf8: boolean,
): boolean {
  if (binary !== undefined) return !utf8 || (binary === 'BIN2' && designator === 'Latin1_General' && version === 100);
  if (version === 140) return more === '' || more === '_VSS';
  if (more === '') return !utf8;
  return more === '_SC' && version >= 90;
}

interface Parts {
  readonly locale: number;
  readonly page: CodePageNumber;
  readonly version: number;
  readonly sortId: number;
}

function made(name: string, parts: Parts, binary: string | undefined, suffix: string, utf8: boolean): Collation {
  const { locale, page: codePage, sortId } = parts;
  const words = new Set(suffix.split('_'));
  const flags = flagsOf(binary, words, utf8);
  const version = versions[parts.version] ?? 0;
  const bytes = bytesOf(locale, flags, version, sortId);
  const rules = textRules(
    binary === undefined ? { caseSensitive: words.has('CS'), accentSensitive: words.has('AS') } : 'binary',
  );
  const comparisonStyle = styleOf(flags);
  return { ...rules, name, bytes, page: codePageOf(bytes), codePage, locale, comparisonStyle, version, sortId };
}

const senses = ['CI_AI', 'CI_AS', 'CS_AI', 'CS_AS'].flatMap((words) =>
  ['', '_WS', '_KS', '_KS_WS'].map((more) => `${words}${more}`),
);

function* endings(version: number): Generator<string> {
  yield* ['BIN', 'BIN2', ...senses];
  if (version === 140) for (const sense of senses) yield* [`${sense}_VSS`, `${sense}_UTF8`, `${sense}_VSS_UTF8`];
  else if (version > 80) for (const sense of senses) yield* [`${sense}_SC`, `${sense}_SC_UTF8`];
}

/** All collations, in the order of their names. */
export function allCollations(): Collation[] {
  const names = Object.entries(designators).flatMap(([designator, { versions: there }]) =>
    there.flatMap((version) =>
      [...endings(version)].map((ending) => `${designator}${version === 80 ? '' : `_${version}`}_${ending}`),
    ),
  );
  names.push('Latin1_General_100_BIN2_UTF8', ...Object.keys(sqlCollations));
  return names.flatMap((name) => collationNamed(name) ?? []).sort((a, b) => (a.name < b.name ? -1 : 1));
}
