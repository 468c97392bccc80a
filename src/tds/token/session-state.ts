import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { type SessionStateValue, writeStates } from '../message/session-recovery.ts';
import { tokenTypes } from './token-type.ts';

/** What a client is told of a session's state, so that it can ask for it again (MS-TDS 2.2.7.21). */
export interface SessionStateChange {
  /** Counts up with each change. */
  readonly sequence: number;
  /** False when a new session could not be given this state. */
  readonly recoverable: boolean;
  readonly states: readonly SessionStateValue[];
}

/** Writes SESSIONSTATE. */
export function writeSessionState(out: ByteWriter, { sequence, recoverable, states }: SessionStateChange): void {
  out.u8(tokenTypes.sessionState);
  const slot = out.slotU32();
  out.u32(sequence);
  out.u8(recoverable ? 1 : 0);
  writeStates(out, states);
  out.closeU32(slot);
}

/** Reads what follows the token's first byte; the states themselves mean nothing to a client. */
export function readSessionState(bytes: ByteReader): { readonly sequence: number; readonly recoverable: boolean } {
  const token = bytes.window(bytes.u32());
  return { sequence: token.u32(), recoverable: (token.u8() & 1) !== 0 };
}
