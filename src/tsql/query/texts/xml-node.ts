import { sqlError } from '../../../base/messages/sql-error.ts';
import { changedInPieces } from '../../../base/text/text-units.ts';
import type { Steps } from '../../../base/threads/steps.ts';
import { isLong } from '../../../values/long-value.ts';
import type { TextPieces } from './text-pieces.ts';

/** Text to be escaped; a long one is escaped when it is written, so that others get their turn in between. */
type Escaped = string | Steps<string>;

/** An element under construction; its children are elements or text. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Map<string, Escaped>;
  readonly children: (XmlNode | Escaped)[];
}

export const isElement = (node: XmlNode | Escaped): node is XmlNode => typeof node !== 'string' && 'name' in node;

export const element = (name: string): XmlNode => ({ name, attributes: new Map(), children: [] });

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML cannot hold.
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#x0D;',
  '\n': '&#x0A;',
  '\t': '&#x09;',
};

/** So many characters at once: the runtime is slower on long texts. */
const piece = 32_768;

/** Replaces one character after the other, the ampersand first: a call for each one of them would take long. */
function escaped(text: string, characters: string): string {
  let written = '';
  for (let at = 0; at < text.length; at += piece)
    written += [...characters].reduce(
      (found, each) => found.replaceAll(each, escapes[each] ?? each),
      text.slice(at, at + piece),
    );
  return written;
}

function refuseForbidden(text: string, name: string): void {
  const found = forbidden.exec(text);
  if (found === null) return;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  throw sqlError(6841, name, `0x${code}`);
}

function checkedAndEscaped(text: string, name: string, characters: string): Escaped {
  const change = (piece: string): string => {
    refuseForbidden(piece, name);
    return escaped(piece, characters);
  };
  return isLong(text) ? changedInPieces(text, change) : change(text);
}

/** Text of an element. */
export const escapedText = (text: string, name: string): Escaped => checkedAndEscaped(text, name, '&<>\r');

/** The value of an attribute. */
export const escapedAttribute = (text: string, name: string): Escaped => checkedAndEscaped(text, name, '&<>"\r\n\t');

/** A name of SQL as a name of XML: what XML does not allow in one is written as its number. */
export function xmlName(name: string): string {
  let written = '';
  for (const character of name.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')) {
    const allowed = written === '' ? /[\p{L}_]/u : /[\p{L}\p{N}\p{M}_.-]/u;
    written += allowed.test(character)
      ? character
      : `_x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}_`;
  }
  return written;
}

/** Writes an element as text, in steps: thousands of them take long. */
export function* writeElement(node: XmlNode | Escaped, out: TextPieces): Steps<void> {
  if (!isElement(node)) {
    out.push(typeof node === 'string' ? node : yield* node);
    return;
  }
  let head = `<${node.name}`;
  for (const [name, value] of node.attributes) head += ` ${name}="${typeof value === 'string' ? value : yield* value}"`;
  if (node.children.length === 0) out.push(`${head}/>`);
  else {
    out.push(`${head}>`);
    for (const child of node.children) yield* writeElement(child, out);
    out.push(`</${node.name}>`);
  }
  if (out.settle()) yield;
}
