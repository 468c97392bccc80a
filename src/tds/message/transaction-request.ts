import { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { badLength, malformed, noSubject } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import { type RequestHeaders, readAllHeaders, writeAllHeaders } from './all-headers.ts';

/** Isolation levels, in the order of MS-TDS 2.2.6.9; `unchanged` keeps that of the session. */
export const isolationLevels = [
  'unchanged',
  'read uncommitted',
  'read committed',
  'repeatable read',
  'serializable',
  'snapshot',
] as const;

export type IsolationLevel = (typeof isolationLevels)[number];

/** The transaction to begin. */
export interface Beginning {
  readonly isolation: IsolationLevel;
  readonly name: string;
}

/** A request about the client's transaction (MS-TDS 2.2.6.9). */
export type TransactionAction =
  | { readonly kind: 'dtcAddress' }
  | { readonly kind: 'propagate'; readonly buffer: Uint8Array }
  | ({ readonly kind: 'begin' } & Beginning)
  | { readonly kind: 'promote' }
  | { readonly kind: 'commit' | 'rollback'; readonly name: string; readonly thenBegin: Beginning | undefined }
  | { readonly kind: 'save'; readonly name: string };

/** A transaction manager request. */
export interface TransactionRequest {
  readonly headers: RequestHeaders;
  readonly action: TransactionAction;
}

const requestTypes: Readonly<Record<TransactionAction['kind'], number>> = {
  dtcAddress: 0,
  propagate: 1,
  begin: 5,
  promote: 6,
  commit: 7,
  rollback: 8,
  save: 9,
};

/** A name whose length is given in bytes. */
function readName(bytes: ByteReader): string {
  const length = bytes.u8();
  if (length % 2 !== 0) throw badLength(noSubject, 'nvarchar');
  return bytes.ucs2(length / 2);
}

function readBeginning(bytes: ByteReader): Beginning {
  const isolation = isolationLevels[bytes.u8()];
  if (isolation === undefined) throw malformed('The isolation level of a transaction request is unknown.');
  return { isolation, name: readName(bytes) };
}

/** Some clients omit the flags if they are 0. */
function readEnding(bytes: ByteReader): { name: string; thenBegin: Beginning | undefined } {
  const name = readName(bytes);
  const begins = bytes.remaining > 0 && (bytes.u8() & 1) !== 0;
  return { name, thenBegin: begins ? readBeginning(bytes) : undefined };
}

function readAction(bytes: ByteReader): TransactionAction {
  const type = bytes.u16();
  switch (type) {
    case requestTypes.dtcAddress:
      return { kind: 'dtcAddress' };
    case requestTypes.propagate:
      return { kind: 'propagate', buffer: bytes.bytes(bytes.u16()) };
    case requestTypes.begin:
      return { kind: 'begin', ...readBeginning(bytes) };
    case requestTypes.promote:
      return { kind: 'promote' };
    case requestTypes.commit:
      return { kind: 'commit', ...readEnding(bytes) };
    case requestTypes.rollback:
      return { kind: 'rollback', ...readEnding(bytes) };
    case requestTypes.save:
      return { kind: 'save', name: readName(bytes) };
    default:
      throw malformed(`Transaction request ${type} is unknown.`);
  }
}

/** Decodes a transaction manager request; throws SqlError 4002 or 8028 if it is malformed. */
export function decodeTransactionRequest(payload: Uint8Array, dialect: Dialect): TransactionRequest {
  const bytes = new ByteReader(payload);
  const headers = readAllHeaders(bytes, dialect);
  return { headers, action: readAction(bytes) };
}

function writeName(out: ByteWriter, name: string): void {
  out.u8(name.length * 2);
  out.ucs2(name);
}

function writeBeginning(out: ByteWriter, { isolation, name }: Beginning): void {
  out.u8(isolationLevels.indexOf(isolation));
  writeName(out, name);
}

/** Writes a transaction manager request. */
export function writeTransactionRequest(
  out: ByteWriter,
  action: TransactionAction,
  dialect: Dialect,
  headers?: RequestHeaders,
): void {
  writeAllHeaders(out, dialect, headers);
  out.u16(requestTypes[action.kind]);
  if (action.kind === 'dtcAddress') out.u16(0);
  if (action.kind === 'propagate') {
    out.u16(action.buffer.length);
    out.bytes(action.buffer);
  }
  if (action.kind === 'begin') writeBeginning(out, action);
  if (action.kind === 'save') writeName(out, action.name);
  if (action.kind === 'commit' || action.kind === 'rollback') {
    writeName(out, action.name);
    out.u8(action.thenBegin === undefined ? 0 : 1);
    if (action.thenBegin !== undefined) writeBeginning(out, action.thenBegin);
  }
}
