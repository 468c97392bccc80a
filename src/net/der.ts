/** The few forms of ASN.1 DER (X.690) that a certificate needs; each function returns one complete element. */
type Bytes = Uint8Array;

/** One element: its tag, its length in the shortest form, and its content. */
export function element(tag: number, ...content: readonly Bytes[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Uint8Array.of(tag), lengthOf(body.length), body]);
}

function lengthOf(length: number): Bytes {
  if (length < 0x80) return Uint8Array.of(length);
  const digits = bigEndian(BigInt(length));
  return Uint8Array.of(0x80 | digits.length, ...digits);
}

function bigEndian(value: bigint): number[] {
  const digits: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 8n) digits.unshift(Number(rest & 0xffn));
  return digits.length > 0 ? digits : [0];
}

export const sequence = (...items: readonly Bytes[]) => element(0x30, ...items);
export const set = (...items: readonly Bytes[]) => element(0x31, ...items);
export const octets = (content: Bytes) => element(0x04, content);
export const utf8 = (text: string) => element(0x0c, Buffer.from(text, 'utf8'));
export const boolean = (value: boolean) => element(0x01, Uint8Array.of(value ? 0xff : 0));
export const nothing = () => element(0x05);

/** A non-negative integer; a leading zero byte keeps a set high bit from reading as a sign. */
export function integer(value: bigint): Buffer {
  const digits = bigEndian(value);
  return element(0x02, Uint8Array.from((digits[0] ?? 0) > 0x7f ? [0, ...digits] : digits));
}

/** A bit string; `unused` bits of its last byte do not count. */
export const bits = (content: Bytes, unused = 0) => element(0x03, Uint8Array.of(unused), content);

/** An object identifier in dotted form: the first two numbers share a byte, the others are base 128. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const digits = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
    bytes.push(...digits);
  }
  return element(0x06, Uint8Array.from(bytes));
}

/** A moment: the short form until 2049, the long one after (RFC 5280 4.1.2.5). */
export function time(moment: Date): Buffer {
  const text = `${moment.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return moment.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(text.slice(2), 'ascii'))
    : element(0x18, Buffer.from(text, 'ascii'));
}

/** Marks an element with a context-specific tag around it. */
export const explicit = (number: number, ...content: readonly Bytes[]) => element(0xa0 | number, ...content);

/** A primitive element whose own tag is replaced by a context-specific one. */
export const implicit = (number: number, content: Bytes) => element(0x80 | number, content);
