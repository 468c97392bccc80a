import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { type SessionStateValue, writeStates } from '../message/session-recovery.ts';
import { tokenTypes } from './token-type.ts';

/** The session state that a client stores in order to recover it (MS-TDS 2.2.7.21). */
export interface SessionStateChange {
  /** Incremented with each change. */
  readonly sequence: number;
  /** False if a new session could not restore this state. */
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

/** Reads the token after its first byte; the states themselves mean nothing to a client. */
export function readSessionState(bytes: ByteReader): { readonly sequence: number; readonly recoverable: boolean } {
  const token = bytes.window(bytes.u32());
  return { sequence: token.u32(), recoverable: (token.u8() & 1) !== 0 };
}
