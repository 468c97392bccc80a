import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { tokenTypes } from './token-type.ts';

/** A change of the session that is reported to the client (MS-TDS 2.2.7.9). */
export type EnvChange =
  | { readonly kind: 'database' | 'language' | 'packetSize'; readonly now: string; readonly before: string }
  | { readonly kind: 'collation'; readonly now: Uint8Array; readonly before: Uint8Array }
  | { readonly kind: 'begin' | 'commit' | 'rollback'; readonly transaction: bigint }
  | { readonly kind: 'reset' };

const types = {
  database: 1,
  language: 2,
  packetSize: 4,
  collation: 7,
  begin: 8,
  commit: 9,
  rollback: 10,
  reset: 18,
} as const satisfies Record<EnvChange['kind'], number>;

function writeBytes(out: ByteWriter, bytes: Uint8Array): void {
  out.u8(bytes.length);
  out.bytes(bytes);
}

function writeTransaction(out: ByteWriter, transaction: bigint): void {
  out.u8(8);
  out.u64(transaction);
}

function writeValues(out: ByteWriter, change: EnvChange): void {
  switch (change.kind) {
    case 'collation':
      writeBytes(out, change.now);
      writeBytes(out, change.before);
      break;
    case 'begin':
      writeTransaction(out, change.transaction);
      out.u8(0);
      break;
    case 'commit':
    case 'rollback':
      out.u8(0);
      writeTransaction(out, change.transaction);
      break;
    case 'reset':
      out.u16(0);
      break;
    default:
      out.bVarchar(change.now);
      out.bVarchar(change.before);
  }
}

/** Writes ENVCHANGE. */
export function writeEnvChange(out: ByteWriter, change: EnvChange): void {
  out.u8(tokenTypes.envChange);
  const slot = out.slotU16();
  out.u8(types[change.kind]);
  writeValues(out, change);
  out.closeU16(slot);
}

const readBytes = (bytes: ByteReader): Buffer => bytes.bytes(bytes.u8());

const transactionIn = (value: Buffer): bigint => (value.length >= 8 ? value.readBigUInt64LE() : 0n);

/** Reads the token after its first byte; undefined for a change that Granary never sends. */
export function readEnvChange(bytes: ByteReader): EnvChange | undefined {
  const token = bytes.window(bytes.u16());
  const type = token.u8();
  switch (type) {
    case types.database:
      return { kind: 'database', now: token.bVarchar(), before: token.bVarchar() };
    case types.language:
      return { kind: 'language', now: token.bVarchar(), before: token.bVarchar() };
    case types.packetSize:
      return { kind: 'packetSize', now: token.bVarchar(), before: token.bVarchar() };
    case types.collation:
      return { kind: 'collation', now: readBytes(token), before: readBytes(token) };
    case types.begin:
      return { kind: 'begin', transaction: transactionIn(readBytes(token)) };
    case types.commit:
      readBytes(token);
      return { kind: 'commit', transaction: transactionIn(readBytes(token)) };
    case types.rollback:
      readBytes(token);
      return { kind: 'rollback', transaction: transactionIn(readBytes(token)) };
    case types.reset:
      return { kind: 'reset' };
    default:
      return undefined;
  }
}
