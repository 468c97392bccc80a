import { sqlError } from '../../base/messages/sql-error.ts';

/** An XML declaration that names an encoding (XML 1.0, productions 23 and 80). */
const declaration = /^\ufeff?<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.-]{1,40})["'][^>]*?\?>/;
/** Far more than a declaration needs: it cannot start later. */
const longest = 500;
const ofTwoBytes = /^(?:utf-16|ucs-2|iso-10646-ucs-2|unicode)$/i;

/** Throws 9402 if a document declares an encoding in which it cannot have been received. */
export function refuseOtherEncoding(document: string, came: 'in units of 16 bits' | 'in bytes'): void {
  const found = declaration.exec(document.slice(0, longest));
  if (found === null || ofTwoBytes.test(found[1] ?? '') === (came === 'in units of 16 bits')) return;
  throw cannotSwitch(found[0]);
}

function cannotSwitch(declared: string): Error {
  const lines = declared.replace(/^\ufeff/, '').split('\n');
  return sqlError(9402, lines.length, lines.at(-1)?.length ?? 0);
}

/**
 * The text of a document that came in bytes: in UTF-8, or in the encoding that it declares. 9402 if that is none of
 * bytes or unknown, 9420 for bytes that are no character in it.
 */
export function textOfBytes(bytes: Uint8Array): string {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const found = isMarked ? null : declaration.exec(Buffer.from(bytes.subarray(0, longest)).toString('latin1'));
  const encoding = found?.[1] ?? 'utf-8';
  if (found !== null && ofTwoBytes.test(encoding)) throw cannotSwitch(found[0]);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw cannotSwitch(found?.[0] ?? '');
    const lines = new TextDecoder(encoding).decode(bytes).split('\ufffd', 1).join().split('\n');
    throw sqlError(9420, lines.length, (lines.at(-1)?.length ?? 0) + 1);
  }
}
