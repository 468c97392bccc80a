import type { ByteReader } from '../byte-reader.ts';
import type { Dialect } from '../version.ts';
import { decodeDosPage } from './dos-page.ts';
import { doubleBytePage } from './double-byte-page.ts';
import { decodeWindows1252 } from './windows-1252.ts';

/**
 * Latin1_General_CI_AS_KS_WS as five bytes (MS-TDS 2.2.5.1.2), the collation of all of Granary's text: locale 1033,
 * only the flag for ignoring case, the first version, and no sort id, so that the text is in the locale's code page
 * 1252.
 */
export const collationBytes: Uint8Array = Uint8Array.of(0x09, 0x04, 0x10, 0x00, 0x00);

/** The UTF-8 flag of a collation's first four bytes (MS-TDS 2.2.5.1.2: fUTF8). */
const utf8Flag = 1 << 26;

/** Code pages of the Windows locales, by the LCID's low 16 bits; every other locale is Western European. */
const pageByLocale: ReadonlyMap<number, string> = new Map(
  Object.entries({
    'windows-1250': [0x0405, 0x040e, 0x0415, 0x0418, 0x041a, 0x041b, 0x041c, 0x0424, 0x081a, 0x0442, 0x101a, 0x141a],
    'windows-1251': [
      0x0402, 0x0419, 0x0422, 0x0423, 0x042f, 0x043f, 0x0440, 0x0444, 0x0450, 0x046d, 0x0485, 0x0843, 0x0c1a, 0x082c,
      0x201a,
    ],
    'windows-1253': [0x0408],
    'windows-1254': [0x041f, 0x042c, 0x0443],
    'windows-1255': [0x040d],
    'windows-1256': [0x0401, 0x0420, 0x0429, 0x0480, 0x048c],
    'windows-1257': [0x0425, 0x0426, 0x0427, 0x0827],
    'windows-1258': [0x042a],
    'windows-874': [0x041e],
    shift_jis: [0x0411],
    gbk: [0x0804, 0x1004],
    'euc-kr': [0x0412],
    big5: [0x0404, 0x0c04, 0x1404],
  }).flatMap(([page, locales]) => locales.map((locale): [number, string] => [locale, page])),
);

/** SQL sort ids with their own code page; with 0 the locale decides (MS-TDS 2.2.5.1.2). */
const pageBySortId = (sortId: number): string | undefined => {
  if (sortId >= 30 && sortId <= 34) return 'cp437';
  if ((sortId >= 40 && sortId <= 49) || (sortId >= 55 && sortId <= 61)) return 'cp850';
  if (sortId >= 80 && sortId <= 98) return 'windows-1250';
  if (sortId >= 104 && sortId <= 108) return 'windows-1251';
  if (sortId >= 112 && sortId <= 124) return 'windows-1253';
  if (sortId >= 128 && sortId <= 130) return 'windows-1254';
  if (sortId >= 136 && sortId <= 138) return 'windows-1255';
  if (sortId >= 144 && sortId <= 146) return 'windows-1256';
  if (sortId >= 152 && sortId <= 160) return 'windows-1257';
  return undefined;
};

const decoders = new Map<string, TextDecoder>();

function decoderOf(page: string): TextDecoder {
  let decoder = decoders.get(page);
  if (decoder === undefined) {
    decoder = new TextDecoder(page, { ignoreBOM: true });
    decoders.set(page, decoder);
  }
  return decoder;
}

/** The code page of text under a collation that a client sent. */
export function codePageOf(collation: Uint8Array): string {
  const flags = Buffer.from(collation).readUInt32LE(0);
  if ((flags & utf8Flag) !== 0) return 'utf-8';
  return pageBySortId(collation[4] ?? 0) ?? pageByLocale.get(flags & 0xffff) ?? 'windows-1252';
}

/** The collation after a character type's length; a 7.0 client sends none. */
export const readCollation = (bytes: ByteReader, dialect: Dialect): Uint8Array =>
  dialect.atLeast71 ? bytes.bytes(5) : collationBytes;

/** Decodes bytes of a code page; those that it does not define become U+FFFD. */
export function decodeText(bytes: Uint8Array, page: string): string {
  if (page === 'windows-1252') return decodeWindows1252(bytes);
  return doubleBytePage(page)?.decode(bytes) ?? decodeDosPage(bytes, page) ?? decoderOf(page).decode(bytes);
}
