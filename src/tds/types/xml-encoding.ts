import { sqlError } from '../../base/sql-error.ts';

/** An XML declaration that names an encoding (XML 1.0, productions 23 and 80). */
const declaration = /^\ufeff?<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.-]{1,40})["'][^>]*?\?>/;
/** Far more than a declaration needs: it cannot start later. */
const longest = 500;
const ofTwoBytes = /^(?:utf-16|ucs-2|iso-10646-ucs-2|unicode)$/i;

/** Throws 9402 if a document declares an encoding in which it cannot have been received. */
export function refuseOtherEncoding(document: string, came: 'in units of 16 bits' | 'in bytes'): void {
  const found = declaration.exec(document.slice(0, longest));
  if (found === null || ofTwoBytes.test(found[1] ?? '') === (came === 'in units of 16 bits')) return;
  const lines = found[0].replace(/^\ufeff/, '').split('\n');
  throw sqlError(9402, lines.length, lines.at(-1)?.length ?? 0);
}
