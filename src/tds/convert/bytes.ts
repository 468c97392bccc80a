/** The last `width` bytes as a big-endian integer, as SQL Server converts binary to a number. */
export function bytesToInteger(bytes: Uint8Array, width: number, signed: boolean): bigint {
  let value = 0n;
  for (const byte of bytes.subarray(Math.max(0, bytes.length - width))) value = (value << 8n) | BigInt(byte);
  return signed ? BigInt.asIntN(width * 8, value) : value;
}

/** An integer as big-endian bytes in two's complement. */
export function integerToBytes(value: bigint, width: number): Uint8Array {
  const bytes = new Uint8Array(width);
  let rest = BigInt.asUintN(width * 8, value);
  for (let at = width - 1; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 0xffn);
  return bytes;
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** Hexadecimal digits as bytes, or undefined if they are not hexadecimal digits. */
export function fromHex(digits: string): Uint8Array | undefined {
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) return undefined;
  return new Uint8Array(Buffer.from(digits, 'hex'));
}

/** The positions of the sixteen bytes in a GUID's text: the first three groups are little-endian. */
const guidOrder = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

export function guidToBytes(guid: string): Uint8Array {
  const plain = Buffer.from(guid.replaceAll('-', ''), 'hex');
  return Uint8Array.from(guidOrder, (at) => plain[at] ?? 0);
}

export function guidFromBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(guidOrder.map((at) => bytes[at] ?? 0)).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
