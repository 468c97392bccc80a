import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Dialect } from '../version.ts';
import { tokenTypes } from './token-type.ts';

/** A table's name in up to four parts, the table itself last. */
export type TableName = readonly string[];

/** Writes TABNAME (MS-TDS 2.2.7.23), to whose tables COLINFO refers by number; before 7.1 a name is one piece. */
export function writeTabName(out: ByteWriter, tables: readonly TableName[], dialect: Dialect): void {
  out.u8(tokenTypes.tabName);
  const slot = out.slotU16();
  for (const parts of tables) {
    if (dialect.atLeast71) {
      out.u8(parts.length);
      for (const part of parts) out.usVarchar(part);
    } else out.usVarchar(parts.join('.'));
  }
  out.closeU16(slot);
}

/** Reads the token after its first byte. */
export function readTabName(bytes: ByteReader, dialect: Dialect): TableName[] {
  const token = bytes.window(bytes.u16());
  const tables: TableName[] = [];
  while (token.remaining > 0) {
    const count = dialect.atLeast71 ? token.u8() : 1;
    tables.push(Array.from({ length: count }, () => token.usVarchar()));
  }
  return tables;
}
