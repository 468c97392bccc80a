import type { Steps } from '../../base/threads/steps.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { AnyType } from '../types/sql-type.ts';
import { readTypeInfo } from '../types/type-info.ts';
import type { Dialect } from '../version.ts';
import { columnFlags, readUserType, seenType, writeUserType } from './col-metadata.ts';
import { tokenTypes } from './token-type.ts';

/** An output parameter's value (MS-TDS 2.2.7.19). */
export interface ReturnValue {
  /** The parameter's index in the request; a client before 7.2 gets the token's length instead. */
  readonly ordinal: number;
  /** Including the @; empty if the caller passed it by position. */
  readonly name: string;
  readonly type: AnyType;
  readonly value: unknown;
}

const outputParameter = 0x01;

/** Writes RETURNSTATUS (MS-TDS 2.2.7.18). */
export function writeReturnStatus(out: ByteWriter, status: number): void {
  out.u8(tokenTypes.returnStatus);
  out.i32(status);
}

function writeHead(out: ByteWriter, { name, type }: ReturnValue, dialect: Dialect): void {
  out.bVarchar(name);
  out.u8(outputParameter);
  writeUserType(out, type, dialect);
  out.u16(columnFlags.nullable);
  type.writeInfo(out, dialect);
}

/** Writes RETURNVALUE. */
export function writeReturnValue(out: ByteWriter, returned: ReturnValue, dialect: Dialect): void {
  out.u8(tokenTypes.returnValue);
  const slot = out.slotU16();
  writeHead(out, returned, dialect);
  returned.type.write(out, returned.value, dialect);
  if (dialect.atLeast72) out.patchU16(slot, returned.ordinal);
  else out.closeU16(slot);
}

/**
 * The same for a long value, in steps between which the output so far may be sent. Only from 7.2 on, since before that
 * the token starts with its length.
 */
export function* returnValueSteps(out: ByteWriter, returned: ReturnValue, dialect: Dialect): Steps<void> {
  const { ordinal, type, value } = returned;
  out.u8(tokenTypes.returnValue);
  out.u16(ordinal);
  writeHead(out, returned, dialect);
  if (type.writeSteps === undefined || value === null) type.write(out, value, dialect);
  else yield* type.writeSteps(out, value, dialect);
}

/** Reads the token after its first byte. */
export function readReturnValue(bytes: ByteReader, dialect: Dialect): ReturnValue {
  const ordinal = bytes.u16();
  const name = bytes.bVarchar();
  bytes.skip(1);
  const userType = readUserType(bytes, dialect);
  bytes.skip(2);
  const type = seenType(readTypeInfo(bytes, dialect), userType);
  const value = type.long?.applies(dialect) ? type.long.readRow(bytes, dialect) : type.read(bytes, dialect);
  return { ordinal, name, type, value };
}
