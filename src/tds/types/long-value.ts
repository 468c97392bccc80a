import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';

/** The common part of text, ntext and image: a pointer before the value in rows, and a four-byte length everywhere. */
export const maxBytes = 0x7fffffff;
const nullLength = 0xffffffff;
const pointer = Buffer.from('dummy textptr\0\0\0', 'latin1');
const timestamp = Buffer.from('dummyTS\0', 'latin1');

/** Writes what precedes a value in a row: text pointer, timestamp and length. */
export function beginLongCell(out: ByteWriter, length: number): void {
  out.u8(pointer.length);
  out.bytes(pointer);
  out.bytes(timestamp);
  out.u32(length);
}

/** NULL in a row is a text pointer of length 0. */
export const writeLongNullCell = (out: ByteWriter): void => out.u8(0);

/** NULL in a parameter is a length of -1. */
export const writeLongNullParam = (out: ByteWriter): void => out.u32(nullLength);

export function readLongParam(bytes: ByteReader): Buffer | null {
  const length = bytes.u32();
  return length === nullLength ? null : bytes.bytes(length);
}

export function readLongCell(bytes: ByteReader): Buffer | null {
  const pointerLength = bytes.u8();
  if (pointerLength === 0) return null;
  bytes.skip(pointerLength + timestamp.length);
  return readLongParam(bytes);
}
