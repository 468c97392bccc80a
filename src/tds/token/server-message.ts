import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Dialect } from '../version.ts';
import { tokenTypes } from './token-type.ts';

/** An error or a message for the user (MS-TDS 2.2.7.10 and 2.2.7.13). */
export interface ServerMessage {
  readonly number: number;
  readonly state: number;
  /** Also called class; an error above 10. */
  readonly severity: number;
  readonly text: string;
  readonly server: string;
  readonly procedure: string;
  readonly line: number;
}

/** The token's length has 16 bits; SQL Server's own messages end at 2,047 characters. */
const longestText = 30_000;
/** Above this severity a message is an error. */
const greatestInfo = 10;

/** Writes ERROR or INFO, depending on the severity; the line has 32 bits from 7.2 on. */
export function writeServerMessage(out: ByteWriter, message: ServerMessage, dialect: Dialect): void {
  out.u8(message.severity > greatestInfo ? tokenTypes.error : tokenTypes.info);
  const slot = out.slotU16();
  out.i32(message.number);
  out.u8(message.state);
  out.u8(message.severity);
  out.usVarchar(message.text.slice(0, longestText));
  out.bVarchar(message.server);
  out.bVarchar(message.procedure);
  if (dialect.atLeast72) out.u32(message.line);
  else out.u16(Math.min(message.line, 0xffff));
  out.closeU16(slot);
}

/** Reads the token after its first byte. */
export function readServerMessage(bytes: ByteReader, dialect: Dialect): ServerMessage {
  const token = bytes.window(bytes.u16());
  const number = token.i32();
  const state = token.u8();
  const severity = token.u8();
  const text = token.usVarchar();
  const server = token.bVarchar();
  const procedure = token.bVarchar();
  const line = dialect.atLeast72 ? token.u32() : token.u16();
  return { number, state, severity, text, server, procedure, line };
}
