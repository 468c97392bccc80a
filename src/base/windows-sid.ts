const longestSid = 15;

/** A Windows security identifier as text, S-1-5-21-…: revision, authority and up to 15 numbers. */
const form = /^S-1-(\d{1,15})((?:-\d{1,10}){1,15})$/i;

/** A security identifier in its canonical spelling, or undefined if the text is not one. */
export function asSid(text: string): string | undefined {
  const [, authority, rest = ''] = form.exec(text.trim()) ?? [];
  if (authority === undefined || Number(authority) >= 2 ** 48) return undefined;
  const numbers = rest.slice(1).split('-').map(Number);
  if (numbers.some((number) => number >= 2 ** 32)) return undefined;
  return ['S-1', Number(authority), ...numbers].join('-');
}

/** The bytes of a security identifier (MS-DTYP 2.4.2.2). */
export function sidBytes(sid: string): Uint8Array {
  const [authority = 0, ...numbers] = sid.slice('S-1-'.length).split('-').map(Number);
  const bytes = Buffer.alloc(8 + 4 * numbers.length);
  bytes[0] = 1;
  bytes[1] = numbers.length;
  bytes.writeUIntBE(authority, 2, 6);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 8 + 4 * index);
  return bytes;
}

/** The security identifier that the bytes encode, or undefined if they do not encode one. */
export function sidOfBytes(bytes: Uint8Array): string | undefined {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = given[1] ?? 0;
  if (given[0] !== 1 || count < 1 || count > longestSid || given.length !== 8 + 4 * count) return undefined;
  const numbers = Array.from({ length: count }, (_, index) => given.readUInt32LE(8 + 4 * index));
  return ['S-1', given.readUIntBE(2, 6), ...numbers].join('-');
}
