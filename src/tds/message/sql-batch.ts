import { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { endedEarly } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import { type RequestHeaders, readAllHeaders, writeAllHeaders } from './all-headers.ts';

/** A T-SQL batch (MS-TDS 2.2.6.7). */
export interface SqlBatch {
  readonly headers: RequestHeaders;
  readonly text: string;
}

/** Decodes SQLBATCH; throws SqlError 4002 if the text ends inside a character. */
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
