import { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { endedEarly } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import { type RequestHeaders, readAllHeaders, writeAllHeaders } from './all-headers.ts';

/** A request in T-SQL (MS-TDS 2.2.6.7). */
export interface SqlBatch {
  readonly headers: RequestHeaders;
  readonly text: string;
}

/** Reads SQLBATCH; throws SqlError 4002 when the text ends within a character. */
export function decodeSqlBatch(payload: Uint8Array, dialect: Dialect): SqlBatch {
  const bytes = new ByteReader(payload);
  const headers = readAllHeaders(bytes, dialect);
  if (bytes.remaining % 2 !== 0) throw endedEarly();
  return { headers, text: bytes.ucs2(bytes.remaining / 2) };
}

/** Writes SQLBATCH. */
export function writeSqlBatch(out: ByteWriter, text: string, dialect: Dialect, headers?: RequestHeaders): void {
  writeAllHeaders(out, dialect, headers);
  out.ucs2(text);
}
