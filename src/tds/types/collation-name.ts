import { type TextRules, textRules } from '../../base/collation.ts';
import { codePageOf } from './collation.ts';

/** A collation that a client named: how text compares under it, and what it is on the wire. */
export interface Collation extends TextRules {
  /** As SQL Server writes it. */
  readonly name: string;
  /** The five bytes of MS-TDS 2.2.5.1.2. */
  readonly bytes: Uint8Array;
  /** The code page of char and varchar. */
  readonly page: string;
  /** True where COLLATE was said of the expression itself, which wins over what a column says. */
  readonly explicit?: true;
}

/** The locales of Windows collations, by the name's beginning. */
const locales: Readonly<Record<string, number>> = {
  Albanian: 0x041c,
  Arabic: 0x0401,
  Chinese_PRC: 0x0804,
  Chinese_PRC_Stroke: 0x20804,
  Chinese_Taiwan_Bopomofo: 0x30404,
  Chinese_Taiwan_Stroke: 0x0404,
  Croatian: 0x041a,
  Cyrillic_General: 0x0419,
  Czech: 0x0405,
  Danish_Norwegian: 0x0406,
  Estonian: 0x0425,
  Finnish_Swedish: 0x040b,
  French: 0x040c,
  German_PhoneBook: 0x10407,
  Greek: 0x0408,
  Hebrew: 0x040d,
  Hungarian: 0x040e,
  Icelandic: 0x040f,
  Japanese: 0x0411,
  Korean_Wansung: 0x0412,
  Latin1_General: 0x0409,
  Latvian: 0x0426,
  Lithuanian: 0x0427,
  Modern_Spanish: 0x0c0a,
  Polish: 0x0415,
  Romanian: 0x0418,
  Slovak: 0x041b,
  Slovenian: 0x0424,
  Thai: 0x041e,
  Traditional_Spanish: 0x040a,
  Turkish: 0x041f,
  Ukrainian: 0x0422,
  Vietnamese: 0x042a,
};

/**
 * SQL Server's own collations by their beginning: the locale, and the sort ids by their last words. Code pages 437 and
 * 850 are those of DOS, which nothing here can write: their text is kept and sent as Latin1_General has it.
 */
const sqlNames: Readonly<
  Record<string, { readonly locale: string; readonly sortIds: Readonly<Record<string, number>> }>
> = {
  sql_latin1_general_cp1: { locale: 'Latin1_General', sortIds: { CS_AS: 51, CI_AS: 52, CI_AI: 54 } },
  sql_latin1_general_cp437: { locale: 'Latin1_General', sortIds: { CS_AS: 0, CI_AS: 0, CI_AI: 0 } },
  sql_latin1_general_cp850: { locale: 'Latin1_General', sortIds: { CS_AS: 0, CI_AS: 0, CI_AI: 0 } },
  sql_latin1_general_cp1250: { locale: 'Czech', sortIds: { CS_AS: 81, CI_AS: 82 } },
  sql_latin1_general_cp1251: { locale: 'Cyrillic_General', sortIds: { CS_AS: 105, CI_AS: 106 } },
  sql_latin1_general_cp1253: { locale: 'Greek', sortIds: { CS_AS: 113, CI_AS: 114 } },
  sql_latin1_general_cp1254: { locale: 'Turkish', sortIds: { CS_AS: 129, CI_AS: 130 } },
  sql_latin1_general_cp1255: { locale: 'Hebrew', sortIds: { CS_AS: 137, CI_AS: 138 } },
  sql_latin1_general_cp1256: { locale: 'Arabic', sortIds: { CS_AS: 145, CI_AS: 146 } },
  sql_latin1_general_cp1257: { locale: 'Lithuanian', sortIds: { CS_AS: 153, CI_AS: 154 } },
};

const pattern =
  /^(?<locale>\w+?)(?:_(?<version>80|90|100|140))?_(?:(?<binary>BIN2?)|(?<words>C[IS]_A[IS](?:_KS)?(?:_WS)?(?:_VSS)?(?:_SC)?))(?<utf8>_UTF8)?$/i;
const bits = {
  ignoreCase: 0x10,
  ignoreAccent: 0x20,
  ignoreKana: 0x40,
  ignoreWidth: 0x80,
  binary: 0x100,
  binary2: 0x200,
  utf8: 0x400,
};
const versions: Readonly<Record<string, number>> = { '90': 1, '100': 2, '140': 3 };

function bytesOf(locale: number, flags: number, version: number, sortId: number): Uint8Array {
  const bytes = Buffer.alloc(5);
  // The flags stand above the twenty bits of the locale, the version in the top four.
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

const known = new Map<string, Collation | undefined>();

/** The collation of that name; undefined when there is none. */
export function collationNamed(name: string): Collation | undefined {
  const key = name.toLowerCase();
  if (!known.has(key)) known.set(key, read(name));
  return known.get(key);
}

function read(text: string): Collation | undefined {
  const groups = pattern.exec(text)?.groups;
  if (!groups) return undefined;
  const suffix = groups['words']?.toUpperCase() ?? '';
  const sql = sqlNames[groups['locale']?.toLowerCase() ?? ''];
  const sortId = sql === undefined ? 0 : sql.sortIds[suffix];
  const wanted = (sql?.locale ?? groups['locale'])?.toLowerCase();
  const locale = Object.entries(locales).find(([name]) => name.toLowerCase() === wanted);
  if (!locale || sortId === undefined) return undefined;
  const words = new Set(suffix.split('_'));
  const binary = groups['binary']?.toUpperCase();
  const flags = flagsOf(binary, words, groups['utf8'] !== undefined);
  const bytes = bytesOf(locale[1], flags, versions[groups['version'] ?? ''] ?? 0, sortId);
  const rules = textRules(
    binary === undefined ? { caseSensitive: words.has('CS'), accentSensitive: words.has('AS') } : 'binary',
  );
  return { ...rules, name: text, bytes, page: codePageOf(bytes) };
}
