import { atOnce, type Steps } from '../../base/steps.ts';
import type { AnyType } from '../types/sql-type.ts';
import { refuseOtherEncoding } from '../types/xml-encoding.ts';
import { familyOf, isUnicode } from './families.ts';
import { XmlScanner } from './xml-scanner.ts';

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

/** Refuses a document whose declaration contradicts the type that it comes in: 9402. */
export function refuseWrongEncoding(document: string, from: AnyType): void {
  if (familyOf(from.name) !== 'text') return;
  refuseOtherEncoding(document, isUnicode(from.name) ? 'in units of 16 bits' : 'in bytes');
}

/**
 * A document or fragment as the xml type keeps it: without declaration and without blanks between elements, with one form
 * of empty elements and of quotation marks, and CDATA as text. `keepsBlanks` leaves the blanks: style 1 of CONVERT.
 */
export const normalXml = (document: string, keepsBlanks = false): string =>
  atOnce(normalXmlSteps(document, keepsBlanks));

/** The same in steps: a long document takes long. */
export function* normalXmlSteps(document: string, keepsBlanks = false): Steps<string> {
  const writer = new NormalWriter(keepsBlanks);
  yield* new XmlScanner(document.replace(/^\ufeff?(?:<\?xml\s[^>]*\?>)?/, ''), writer).steps();
  return writer.end();
}

/** How many pieces are joined at once. */
const mostPieces = 4096;

class NormalWriter {
  #done = '';
  #out: string[] = [];
  /** Whether blanks count, element by element: xml:space. */
  readonly #preserving: boolean[];
  /** True while the `>` of the last start tag is not written yet. */
  #isOpen = false;
  #text = '';

  constructor(keepsBlanks: boolean) {
    this.#preserving = [keepsBlanks];
  }

  text(text: string): void {
    this.#text += text;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#settle();
    this.#out.push(`<${name}`);
    for (const [key, value] of attributes) this.#out.push(` ${key}="${inAttribute(value)}"`);
    const space = attributes.get('xml:space');
    this.#preserving.push(space === undefined ? (this.#preserving.at(-1) ?? false) : space === 'preserve');
    this.#isOpen = true;
  }

  close(name: string): void {
    this.#writeText();
    this.#preserving.pop();
    this.#out.push(this.#isOpen ? '/>' : `</${name}>`);
    this.#isOpen = false;
  }

  aside(markup: string): void {
    this.#settle();
    this.#out.push(markup);
  }

  end(): string {
    this.#settle();
    return this.#done + this.#out.join('');
  }

  #settle(): void {
    this.#writeText();
    this.#endTag();
  }

  #writeText(): void {
    if (this.#text !== '' && (this.#preserving.at(-1) === true || /[^ \t\r\n]/.test(this.#text))) {
      this.#endTag();
      this.#out.push(inText(this.#text));
    }
    this.#text = '';
  }

  #endTag(): void {
    if (this.#isOpen) this.#out.push('>');
    this.#isOpen = false;
    if (this.#out.length < mostPieces) return;
    this.#done += this.#out.join('');
    this.#out = [];
  }
}
