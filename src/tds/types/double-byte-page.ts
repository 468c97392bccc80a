import { textOfUnits } from '../../base/text/text-units.ts';

/** A code page whose characters have one byte or two. */
interface DoubleBytePage {
  decode(bytes: Uint8Array): string;
  /** The code of each character of the page: one byte, or two as one number. */
  readonly codes: ReadonlyMap<string, number>;
}

const names: ReadonlySet<string> = new Set(['shift_jis', 'gbk', 'euc-kr', 'big5']);

/** Pairs of bytes that Windows decodes but never encodes, since the same character has another pair. */
const readOnly: ReadonlySet<number> = new Set([0xa2cc, 0xa2ce]);

/**
 * The characters that the runtime decodes from one or two bytes; its tables have the control characters of old
 * mainframes.
 */
function decoded(page: string): Map<number, string> {
  const decoder = new TextDecoder(page);
  const found = new Map<number, string>();
  const note = (code: number, bytes: readonly number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== '\ufffd') found.set(code, text);
  };
  for (let byte = 0; byte < 0x80; byte++) found.set(byte, String.fromCharCode(byte));
  for (let byte = 0x80; byte < 0x100; byte++) note(byte, [byte]);
  for (let lead = 0x81; lead < 0xff; lead++) {
    if (found.has(lead)) continue;
    for (let trail = 0x40; trail < 0xff; trail++) note((lead << 8) | trail, [lead, trail]);
  }
  return found;
}

/**
 * Code page 949 has every Hangul syllable, and two late additions; the runtime knows the 2,350 of KS X 1001. The other
 * 8,822 fill the remaining pairs of bytes in the order of Unicode.
 */
function addHangul(page: Map<number, string>): void {
  // The runtime decodes an unknown pair as two control characters.
  for (let byte = 0x80; byte < 0x100; byte++) page.delete(byte);
  page.set(0xa2e6, '€').set(0xa2e7, '®');
  const known = new Set(page.values());
  const places = hangulPlaces();
  for (let code = 0xac00; code <= 0xd7a3; code++) {
    const syllable = String.fromCharCode(code);
    if (!known.has(syllable)) page.set(places.next().value ?? 0, syllable);
  }
}

function* hangulPlaces(): Generator<number, undefined> {
  for (let lead = 0x81; lead <= 0xc6; lead++) {
    for (let trail = 0x41; trail <= (lead <= 0xa0 ? 0xfe : 0xa0); trail++) {
      const isLetter = (trail >= 0x5b && trail <= 0x60) || (trail >= 0x7b && trail <= 0x80);
      if (!isLetter) yield (lead << 8) | trail;
    }
  }
  return undefined;
}

function make(page: string): DoubleBytePage {
  const texts = decoded(page);
  if (page === 'euc-kr') addHangul(texts);
  const codes = new Map<string, number>();
  // Indexed by code: a text may have millions of characters.
  const byCode: (string | undefined)[] = new Array(0x10000).fill(undefined);
  for (const [code, text] of texts) {
    byCode[code] = text;
    if (codes.has(text) || (page === 'big5' && readOnly.has(code))) continue;
    codes.set(text, code);
  }
  return {
    decode(bytes) {
      const units = new Uint16Array(bytes.length);
      let length = 0;
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at] ?? 0;
        const text = byCode[byte] ?? byCode[(byte << 8) | (bytes[++at] ?? 0)] ?? '\ufffd';
        for (let unit = 0; unit < text.length; unit++) units[length++] = text.charCodeAt(unit);
      }
      return textOfUnits(units.subarray(0, length));
    },
    codes,
  };
}

const made = new Map<string, DoubleBytePage>();

/** The double-byte page of that name, created at its first use; undefined for one of single bytes. */
export function doubleBytePage(name: string): DoubleBytePage | undefined {
  if (!names.has(name)) return undefined;
  let page = made.get(name);
  if (page === undefined) {
    page = make(name);
    made.set(name, page);
  }
  return page;
}
