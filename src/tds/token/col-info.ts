import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { badLength } from '../stream-error.ts';
import { tokenTypes } from './token-type.ts';

/** The Status bits of MS-TDS 2.2.7.3. */
export const columnStatus = { expression: 0x04, key: 0x08, hidden: 0x10, differentName: 0x20 } as const;

/** The COLINFO entry of a column. */
export interface ColumnStatus {
  /** Counted from 1. */
  readonly column: number;
  /** The table among those of TABNAME, counted from 1; 0 for an expression. */
  readonly table: number;
  readonly status: number;
  /** The name of the column in its table, if the result shows it under another name. */
  readonly name?: string;
}

/** The maximum that the token's length field can hold. */
const mostBytes = 0xffff;

/** Writes COLINFO; names that no longer fit into the token are left out. */
export function writeColInfo(out: ByteWriter, columns: readonly ColumnStatus[]): void {
  out.u8(tokenTypes.colInfo);
  const slot = out.slotU16();
  let room = mostBytes - columns.length * 3;
  for (const { column, table, status, name } of columns) {
    const size = name === undefined ? 0 : 1 + name.length * 2;
    const isTold = name !== undefined && size <= room;
    out.u8(column & 0xff); // the token has one byte for it, however many columns there are
    out.u8(table);
    out.u8(status | (isTold ? columnStatus.differentName : 0));
    if (!isTold) continue;
    out.bVarchar(name);
    room -= size;
  }
  out.closeU16(slot);
}

/** Reads the token after its first byte. */
export function readColInfo(bytes: ByteReader): ColumnStatus[] {
  const token = bytes.window(bytes.u16());
  const columns: ColumnStatus[] = [];
  while (token.remaining > 0) {
    if (token.remaining < 3) throw badLength(bytes.subject, 'COLINFO');
    const column = token.u8();
    const table = token.u8();
    const status = token.u8();
    columns.push({
      column,
      table,
      status,
      ...((status & columnStatus.differentName) === 0 ? {} : { name: token.bVarchar() }),
    });
  }
  return columns;
}
