import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/** Writes a GUID in its wire format: the first three groups of its text are little-endian. */
export function writeGuid(out: ByteWriter, value: string): void {
  out.u32(Number.parseInt(value.slice(0, 8), 16));
  out.u16(Number.parseInt(value.slice(9, 13), 16));
  out.u16(Number.parseInt(value.slice(14, 18), 16));
  out.u16be(Number.parseInt(value.slice(19, 23), 16));
  out.u16be(Number.parseInt(value.slice(24, 28), 16));
  out.u32be(Number.parseInt(value.slice(28, 36), 16));
}

/** Reads a GUID as its text in lower case. */
export function readGuid(bytes: ByteReader): string {
  const first = bytes.u32().toString(16).padStart(8, '0');
  const second = bytes.u16().toString(16).padStart(4, '0');
  const third = bytes.u16().toString(16).padStart(4, '0');
  const rest = bytes.bytes(8).toString('hex');
  return `${first}-${second}-${third}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}
