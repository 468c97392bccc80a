import { sqlError } from '../../base/messages/sql-error.ts';
import { mostCharacters } from '../../base/text/most-characters.ts';
import { atOnce, type Steps } from '../../base/threads/steps.ts';
import type { AnyType } from '../types/sql-type.ts';
import { refuseOtherEncoding } from '../types/xml-encoding.ts';
import { familyOf, isUnicode } from './families.ts';
import { stretchesOf, XmlScanner } from './xml-scanner.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#x0D;',
  '\n': '&#x0A;',
  '\t': '&#x09;',
};
const inText = (text: string): string => text.replace(/[&<>\r]/g, (one) => escapes[one] ?? one);
const inAttribute = (text: string): string => text.replace(/[&<>"\r\n\t]/g, (one) => escapes[one] ?? one);

/** Refuses a document whose declaration contradicts the type in which it arrives: 9402. */
export function refuseWrongEncoding(document: string, from: AnyType): void {
  if (familyOf(from.name) !== 'text') return;
  refuseOtherEncoding(document, isUnicode(from.name) ? 'in units of 16 bits' : 'in bytes');
}

/**
 * A document or fragment in the form in which the xml type stores it: without a declaration and without blanks between
 * elements, with one notation for empty elements and quotation marks, and CDATA as text. `keepsBlanks` preserves the
 * blanks: style 1 of CONVERT.
 */
export const normalXml = (document: string, keepsBlanks = false): string =>
  atOnce(normalXmlSteps(document, keepsBlanks));

/** The same in steps, for a long document. */
export function* normalXmlSteps(document: string, keepsBlanks = false): Steps<string> {
  const writer = new NormalWriter(keepsBlanks);
  yield* new XmlScanner(document.replace(/^\ufeff?(?:<\?xml\s[^>]*\?>)?/, ''), writer).steps();
  return writer.end();
}

/** The number of pieces joined at once. */
const mostPieces = 4096;

class NormalWriter {
  #done = '';
  #out: string[] = [];
  /** Whether blanks are significant, element by element: xml:space. */
  readonly #preserving: boolean[];
  /** True until the `>` of the last start tag has been written. */
  #isOpen = false;
  /** Blanks that are significant only if other text follows. */
  readonly #blanks: string[] = [];
  /** True while text is written that may continue. */
  #inText = false;
  #length = 0;

  constructor(keepsBlanks: boolean) {
    this.#preserving = [keepsBlanks];
  }

  text(text: string): Steps<void> | undefined {
    this.#inText ||= this.#preserving.at(-1) === true || /[^ \t\r\n]/.test(text);
    if (!this.#inText) {
      this.#blanks.push(text);
      return undefined;
    }
    this.#endTag();
    const work = this.#blanks.length === 0 ? undefined : this.#writeBlanks(text);
    if (work === undefined) this.#write(inText(text));
    return work;
  }

  *#writeBlanks(before: string): Steps<void> {
    for (const blanks of this.#blanks.splice(0)) {
      this.#write(inText(blanks));
      yield;
    }
    this.#write(inText(before));
  }

  *open(name: string, attributes: ReadonlyMap<string, string>): Steps<void> {
    this.#settle();
    this.#write(`<${name}`);
    for (const [key, value] of attributes) {
      this.#write(` ${key}="`);
      for (const piece of stretchesOf(value)) {
        this.#write(inAttribute(piece));
        if (piece.length < value.length) yield;
      }
      this.#write('"');
    }
    const space = attributes.get('xml:space');
    this.#preserving.push(space === undefined ? (this.#preserving.at(-1) ?? false) : space === 'preserve');
    this.#isOpen = true;
  }

  close(name: string): void {
    this.#endText();
    this.#preserving.pop();
    this.#write(this.#isOpen ? '/>' : `</${name}>`);
    this.#isOpen = false;
  }

  aside(markup: string): void {
    this.#settle();
    this.#write(markup);
  }

  end(): string {
    this.#settle();
    return this.#done + this.#out.join('');
  }

  /** Escapes can make it longer than it was: 701 if it exceeds the maximum size of a value. */
  #write(piece: string): void {
    this.#length += piece.length;
    if (this.#length > mostCharacters) throw sqlError(701, 'default');
    this.#out.push(piece);
  }

  #settle(): void {
    this.#endText();
    this.#endTag();
  }

  #endText(): void {
    this.#blanks.length = 0;
    this.#inText = false;
  }

  #endTag(): void {
    if (this.#isOpen) this.#write('>');
    this.#isOpen = false;
    if (this.#out.length < mostPieces) return;
    this.#done += this.#out.join('');
    this.#out = [];
  }
}
