import { sqlError } from '../../base/messages/sql-error.ts';
import { atOnce, type Steps } from '../../base/threads/steps.ts';
import { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { malformed, noSubject } from '../stream-error.ts';
import type { AnyType, TypeName } from '../types/sql-type.ts';
import { readParameterType } from '../types/table-value.ts';
import type { Dialect } from '../version.ts';
import { type RequestHeaders, readAllHeaders, writeAllHeaders } from './all-headers.ts';

/** A parameter as received. */
export interface RpcParam {
  /** Including the @; empty if the parameter is passed by position. */
  readonly name: string;
  readonly type: AnyType;
  readonly value: unknown;
  /** An output parameter. */
  readonly byRef: boolean;
  /** The caller wants the parameter's default; `value` is meaningless. */
  readonly useDefault: boolean;
}

/** One call of a request. */
export interface RpcCall {
  /** A name, or the number of one of the procedures of MS-TDS 2.2.6.6. */
  readonly procedure: string | number;
  readonly withRecompile: boolean;
  /** The caller does not want COLMETADATA. */
  readonly noMetadata: boolean;
  /** The caller cancelled the call (NoExecFlag after it): it is answered but not executed. */
  readonly noExec: boolean;
  readonly params: readonly RpcParam[];
}

/** A request that calls procedures (MS-TDS 2.2.6.6). */
export interface RpcRequest {
  readonly headers: RequestHeaders;
  readonly calls: readonly RpcCall[];
}

/** The procedures with a number. */
export const procedureIds = {
  sp_cursor: 1,
  sp_cursoropen: 2,
  sp_cursorprepare: 3,
  sp_cursorexecute: 4,
  sp_cursorprepexec: 5,
  sp_cursorunprepare: 6,
  sp_cursorfetch: 7,
  sp_cursoroption: 8,
  sp_cursorclose: 9,
  sp_executesql: 10,
  sp_prepare: 11,
  sp_execute: 12,
  sp_prepexec: 13,
  sp_prepexecrpc: 14,
  sp_unprepare: 15,
} as const;

/** The names of those procedures by number. */
export const procedureNames: ReadonlyMap<number, string> = new Map(
  Object.entries(procedureIds).map(([name, id]) => [id, name]),
);

const idSwitch = 0xffff;
const noExecFlag = 0xfe;
const batchFlag = 0xff;
const oldBatchFlag = 0x80;
const optionBits = { withRecompile: 0x01, noMetadata: 0x02 } as const;
const statusBits = { byRef: 0x01, useDefault: 0x02, encrypted: 0x08 } as const;
/** The types that cannot be output parameters, with their type bytes as error 8018 shows them. */
const deprecatedBytes: Partial<Record<TypeName, string>> = { text: '23', ntext: '63', image: '22' };
/** SQL Server's own limit. */
const mostParams = 2100;
const mostNameCharacters = 1046;
/** The limits of one request: a call takes only seven bytes, and a message of millions would fill the memory. */
const mostCalls = 100_000;
const mostParamsTogether = 1_000_000;

/** From 7.2 on, 0x80 is the length of a long name. */
const isSeparator = (byte: number, dialect: Dialect): boolean =>
  dialect.atLeast72 ? byte >= noExecFlag : byte === oldBatchFlag;

function readProcedure(bytes: ByteReader): string | number {
  const length = bytes.u16();
  if (length === idSwitch) return bytes.u16();
  if (length === 0 || length > mostNameCharacters) throw sqlError(8004);
  return bytes.name(length);
}

function* readParam(bytes: ByteReader, dialect: Dialect, ordinal: number): Steps<RpcParam> {
  const name = bytes.name(bytes.u8());
  const status = bytes.u8();
  bytes.subject = { ordinal, name };
  if ((status & statusBits.encrypted) !== 0) throw malformed('Encrypted parameters were not negotiated.');
  const type = readParameterType(bytes, dialect);
  const byRef = (status & statusBits.byRef) !== 0;
  const deprecated = deprecatedBytes[type.name];
  if (byRef && deprecated !== undefined) throw sqlError(8018, ordinal, name, deprecated);
  const value: unknown = type.readSteps ? yield* type.readSteps(bytes, dialect) : type.read(bytes, dialect);
  bytes.subject = noSubject;
  return {
    name,
    type,
    value,
    byRef,
    useDefault: (status & statusBits.useDefault) !== 0,
  };
}

function* readCall(bytes: ByteReader, dialect: Dialect): Steps<RpcCall> {
  const procedure = readProcedure(bytes);
  const options = bytes.u16();
  const params: RpcParam[] = [];
  while (bytes.remaining > 0 && !isSeparator(bytes.peek(), dialect)) {
    if (params.length === mostParams) throw sqlError(8003, mostParams);
    params.push(yield* readParam(bytes, dialect, params.length + 1));
  }
  return {
    procedure,
    withRecompile: (options & optionBits.withRecompile) !== 0,
    noMetadata: (options & optionBits.noMetadata) !== 0,
    noExec: bytes.remaining > 0 && bytes.u8() === noExecFlag,
    params,
  };
}

/** Decodes an RPC request; throws SqlError 4002, 8003, 8004, 8009, 8016, 8018, 8023 or 8028 if it is malformed. */
export function decodeRpc(payload: Uint8Array, dialect: Dialect): RpcRequest {
  const bytes = new ByteReader(payload);
  const headers = readAllHeaders(bytes, dialect);
  const calls: RpcCall[] = [];
  atOnce(readCalls(bytes, dialect, (call) => void calls.push(call)));
  return { headers, calls };
}

/** A request that is too long to be decoded at once. */
interface LongRpcRequest {
  readonly headers: RequestHeaders;
  /** The next call; undefined behind the last. */
  next(): Steps<RpcCall | undefined>;
}

/**
 * The same, yielding after each call and amid tables: decoding a request of a million parameters takes as long as
 * answering thousands of others. All of it is looked at first, but the calls behind the first are decoded again when
 * they are asked for: together they would take fifteen times the memory of the request.
 */
export function* decodeLongRpc(payload: Uint8Array, dialect: Dialect): Steps<LongRpcRequest> {
  const bytes = new ByteReader(payload);
  const headers = readAllHeaders(bytes, dialect);
  let first: RpcCall | undefined;
  let behindFirst = 0;
  yield* readCalls(bytes, dialect, (call) => {
    if (behindFirst > 0) return;
    first = call;
    behindFirst = bytes.position;
  });
  bytes.rewind(behindFirst);
  function* next(): Steps<RpcCall | undefined> {
    const call = first ?? (bytes.remaining > 0 ? yield* readCall(bytes, dialect) : undefined);
    first = undefined;
    return call;
  }
  return { headers, next };
}

function* readCalls(bytes: ByteReader, dialect: Dialect, take: (call: RpcCall) => void): Steps<void> {
  let calls = 0;
  let params = 0;
  do {
    const call = yield* readCall(bytes, dialect);
    take(call);
    calls++;
    params += call.params.length;
    if (calls > mostCalls || params > mostParamsTogether) throw malformed('A request has too many calls.');
    yield;
  } while (bytes.remaining > 0);
}

/** A call to be written. */
export interface CallRequest {
  readonly procedure: string | number;
  readonly params?: readonly (Pick<RpcParam, 'type' | 'value'> & Partial<RpcParam>)[];
  readonly withRecompile?: boolean;
  readonly noMetadata?: boolean;
  readonly noExec?: boolean;
}

function writeCall(out: ByteWriter, call: CallRequest, dialect: Dialect): void {
  if (typeof call.procedure === 'number') {
    out.u16(idSwitch);
    out.u16(call.procedure);
  } else {
    out.usVarchar(call.procedure);
  }
  out.u16((call.withRecompile ? optionBits.withRecompile : 0) | (call.noMetadata ? optionBits.noMetadata : 0));
  for (const { name = '', type, value, byRef, useDefault } of call.params ?? []) {
    out.bVarchar(name);
    out.u8((byRef ? statusBits.byRef : 0) | (useDefault ? statusBits.useDefault : 0));
    type.writeInfo(out, dialect);
    if (type.long?.applies(dialect)) type.long.writeParam(out, value, dialect);
    else type.write(out, value, dialect);
  }
}

/** Writes an RPC request with one or several calls. */
export function writeRpc(
  out: ByteWriter,
  calls: readonly CallRequest[],
  dialect: Dialect,
  headers?: RequestHeaders,
): void {
  writeAllHeaders(out, dialect, headers);
  calls.forEach((call, index) => {
    writeCall(out, call, dialect);
    const isLast = index === calls.length - 1;
    if (call.noExec) out.u8(noExecFlag);
    else if (!isLast) out.u8(dialect.atLeast72 ? batchFlag : oldBatchFlag);
  });
}
