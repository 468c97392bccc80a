import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { badLength } from '../stream-error.ts';
import { tokenTypes } from './token-type.ts';

/** The Status bits of MS-TDS 2.2.7.3; a column of a copy belongs to no table, which is what an expression does. */
export const columnStatus = { expression: 0x04, key: 0x08, hidden: 0x10 } as const;

/** What COLINFO says of one column. */
export interface ColumnStatus {
  /** Counted from 1. */
  readonly column: number;
  readonly status: number;
}

/** Writes COLINFO for so many columns, those named (from 1) as ones that no user asked for. */
export function writeColInfo(out: ByteWriter, count: number, hidden: readonly number[]): void {
  out.u8(tokenTypes.colInfo);
  out.u16(count * 3);
  for (let column = 1; column <= count; column++) {
    out.u8(column & 0xff); // the token has one byte for it, however many columns there are
    out.u8(0);
    out.u8(columnStatus.expression | (hidden.includes(column) ? columnStatus.hidden : 0));
  }
}

/** Reads what follows the token's first byte; no column of Granary has a name other than its own. */
export function readColInfo(bytes: ByteReader): ColumnStatus[] {
  const length = bytes.u16();
  if (length % 3 !== 0) throw badLength(bytes.subject, 'COLINFO');
  const token = bytes.window(length);
  return Array.from({ length: length / 3 }, () => {
    const column = token.u8();
    token.skip(1);
    return { column, status: token.u8() };
  });
}
