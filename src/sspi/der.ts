import { refuse } from './negotiation.ts';

/** One DER element: its tag, its content, all of its bytes, and the offset of the next one. */
interface Element {
  readonly tag: number;
  readonly body: Buffer;
  readonly whole: Buffer;
  readonly end: number;
}

/** The maximum number of length bytes: 16 MB are more than any token needs. */
const longestLength = 3;

/** Reads the element at an offset; its length must be present and within bounds. */
export function readElement(bytes: Buffer, at = 0): Element {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) return refuse('DER ends inside an element');
  const extra = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || extra > longestLength || at + 2 + extra > bytes.length)
    return refuse('a length in DER is invalid');
  const length = extra === 0 ? first : bytes.readUIntBE(at + 2, extra);
  const start = at + 2 + extra;
  const end = start + length;
  if (end > bytes.length) return refuse('DER ends inside an element');
  return { tag, body: bytes.subarray(start, end), whole: bytes.subarray(at, end), end };
}

/** Reads the element at an offset, which must have this tag. */
export function readTagged(tag: number, bytes: Buffer, at = 0): Element {
  const element = readElement(bytes, at);
  return element.tag === tag ? element : refuse(`DER has the tag ${element.tag} instead of ${tag}`);
}

/** The consecutive elements, in one pass. */
export function readAll(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes, at);
    elements.push(element);
    at = element.end;
  }
  return elements;
}

/** Writes one element. */
export function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag, ...lengthOf(body.length)), body]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
