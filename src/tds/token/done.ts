import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Dialect } from '../version.ts';
import { tokenTypes } from './token-type.ts';

/** The status bits of DONE, DONEPROC and DONEINPROC (MS-TDS 2.2.7.6). */
export const doneStatus = {
  final: 0x00,
  more: 0x01,
  error: 0x02,
  inTransaction: 0x04,
  count: 0x10,
  attention: 0x20,
  serverError: 0x100,
} as const;

/** CurCmd: the kind of statement that ended. */
export const currentCommand = {
  none: 0x00,
  set: 0xbe,
  select: 0xc1,
  insert: 0xc3,
  delete: 0xc4,
  update: 0xc5,
  rollback: 0xd2,
  begin: 0xd4,
  commit: 0xd5,
  execute: 0xe0,
  bulkInsert: 0xf0,
} as const;

export type DoneKind = 'done' | 'doneProc' | 'doneInProc';

/** The end of a statement, of a procedure, or of a statement within one. */
export interface Done {
  readonly status: number;
  readonly command: number;
  /** The number of rows; only valid with the bit `count`. */
  readonly count: number;
}

/** Writes DONE, DONEPROC or DONEINPROC; the count has 64 bits from 7.2 on. */
export function writeDone(out: ByteWriter, kind: DoneKind, done: Partial<Done>, dialect: Dialect): void {
  const { status = doneStatus.final, command = currentCommand.none, count = 0 } = done;
  out.u8(tokenTypes[kind]);
  out.u16(status);
  out.u16(command);
  if (dialect.atLeast72) out.u64Number(count);
  else out.u32(Math.min(count, 0xffffffff));
}

/** Reads the token after its first byte. */
export function readDone(bytes: ByteReader, dialect: Dialect): Done {
  const status = bytes.u16();
  const command = bytes.u16();
  const low = bytes.u32();
  const count = dialect.atLeast72 ? low + bytes.u32() * 0x1_0000_0000 : low;
  return { status, command, count };
}
