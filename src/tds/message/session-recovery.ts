import { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { structurally } from './structure.ts';

/** A piece of a session's state, identified by a number that is only meaningful to the server (MS-TDS 2.2.7.21). */
export interface SessionStateValue {
  readonly id: number;
  readonly value: Uint8Array;
}

/** A lost session that a client wants to recover (MS-TDS 2.2.6.4, FeatureExt 1). */
export interface LostSession {
  /** The database that the session was in. */
  readonly database: string;
  readonly states: readonly SessionStateValue[];
}

interface RecoveryData {
  readonly database: string;
  readonly states: readonly SessionStateValue[];
}

/** Marks a four-byte length; any other value is the length itself. */
const longLength = 0xff;

function readStates(bytes: ByteReader): SessionStateValue[] {
  const states: SessionStateValue[] = [];
  while (bytes.remaining > 0) {
    const id = bytes.u8();
    const short = bytes.u8();
    states.push({ id, value: bytes.bytes(short === longLength ? bytes.u32() : short) });
  }
  return states;
}

/** Writes a sequence of states. */
export function writeStates(out: ByteWriter, states: readonly SessionStateValue[]): void {
  for (const { id, value } of states) {
    out.u8(id);
    if (value.length < longLength) out.u8(value.length);
    else {
      out.u8(longLength);
      out.u32(value.length);
    }
    out.bytes(value);
  }
}

function readRecoveryData(bytes: ByteReader): RecoveryData {
  const data = bytes.window(bytes.u32());
  const database = data.bVarchar();
  data.skip(data.u8());
  data.bVarchar(); // the language, of which there is only one
  return { database, states: readStates(data) };
}

/** Decodes the lost session of a client; undefined if the client has none and only requests the feature. */
export function decodeLostSession(data: Uint8Array): LostSession | undefined {
  if (data.length === 0) return undefined;
  return structurally(17832, () => {
    const bytes = new ByteReader(data);
    const initial = readRecoveryData(bytes);
    const changed = readRecoveryData(bytes);
    const states = new Map([...initial.states, ...changed.states].map((state) => [state.id, state]));
    return { database: changed.database || initial.database, states: [...states.values()] };
  });
}
