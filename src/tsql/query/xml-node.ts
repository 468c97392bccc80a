import { sqlError } from '../../base/sql-error.ts';
import type { Steps } from '../../base/steps.ts';
import type { TextPieces } from './text-pieces.ts';

/** An element that is being put together; its children are elements, or text that has been escaped. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: (XmlNode | string)[];
}

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

/** Text of an element. */
export function escapedText(text: string, name: string): string {
  refuseForbidden(text, name);
  return escaped(text, '&<>\r');
}

/** The value of an attribute. */
export function escapedAttribute(text: string, name: string): string {
  refuseForbidden(text, name);
  return escaped(text, '&<>"\r\n\t');
}

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
export function* writeElement(node: XmlNode | string, out: TextPieces): Steps<void> {
  if (typeof node === 'string') {
    out.push(node);
    return;
  }
  let head = `<${node.name}`;
  for (const [name, value] of node.attributes) head += ` ${name}="${value}"`;
  if (node.children.length === 0) out.push(`${head}/>`);
  else {
    out.push(`${head}>`);
    for (const child of node.children) yield* writeElement(child, out);
    out.push(`</${node.name}>`);
  }
  if (out.settle()) yield;
}
