import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { badLength } from '../stream-error.ts';
import { tokenTypes } from './token-type.ts';

/** Writes ORDER (MS-TDS 2.2.7.17): the columns by which the rows are sorted, counted from 1. */
export function writeOrder(out: ByteWriter, columns: readonly number[]): void {
  out.u8(tokenTypes.order);
  out.u16(columns.length * 2);
  for (const column of columns) out.u16(column);
}

/** Reads the token after its first byte. */
export function readOrder(bytes: ByteReader): number[] {
  const length = bytes.u16();
  if (length % 2 !== 0) throw badLength(bytes.subject, 'ORDER');
  const columns: number[] = [];
  for (let left = length / 2; left > 0; left--) columns.push(bytes.u16());
  return columns;
}
