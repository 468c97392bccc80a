import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { readGuid, writeGuid } from '../guid.ts';
import type { Dialect } from '../version.ts';

/** The headers before a request from 7.2 on (MS-TDS 2.2.5.3). */
export interface RequestHeaders {
  /** The transaction in which the request runs, as ENVCHANGE 8 named it; 0 for none. */
  readonly transaction: bigint;
  readonly outstandingRequests: number;
  /** The client's activity, if it reports one (2.2.5.3.3): a GUID, and the number of the request within it. */
  readonly activity?: { readonly id: string; readonly sequence: number };
}

export const noHeaders: RequestHeaders = { transaction: 0n, outstandingRequests: 1 };

const transactionHeader = 2;
const transactionLength = 18;
const activityHeader = 3;
const activityLength = 26;

/**
 * Reads ALL_HEADERS. An impossible length means that the client sent none, as some do; the reader then stays at its
 * position. An unknown header, or one with a wrong length, ends the reading of headers and nothing else.
 */
export function readAllHeaders(bytes: ByteReader, dialect: Dialect): RequestHeaders {
  if (!dialect.atLeast72 || bytes.remaining < 4) return noHeaders;
  const total = bytes.peekU32();
  if (total < 4 || total > bytes.remaining) return noHeaders;
  const end = bytes.position + total;
  bytes.skip(4);
  let { transaction, outstandingRequests, activity } = noHeaders;
  while (end - bytes.position >= 6) {
    const next = bytes.position + bytes.u32();
    const type = bytes.u16();
    if (next < bytes.position || next > end) break;
    const length = next - bytes.position;
    if (type === transactionHeader && length >= 12) {
      const [low, high] = [bytes.u32(), bytes.u32()];
      // Hardly any request has one.
      if (low !== 0 || high !== 0) transaction = (BigInt(high) << 32n) | BigInt(low);
      outstandingRequests = bytes.u32();
    } else if (type === activityHeader && length >= 20) {
      activity = { id: readGuid(bytes), sequence: bytes.u32() };
    }
    bytes.skip(next - bytes.position);
  }
  bytes.skip(end - bytes.position);
  return activity === undefined ? { transaction, outstandingRequests } : { transaction, outstandingRequests, activity };
}

/** Writes ALL_HEADERS with the header that every request has, and the activity if there is one; nothing before 7.2. */
export function writeAllHeaders(out: ByteWriter, dialect: Dialect, headers: RequestHeaders = noHeaders): void {
  if (!dialect.atLeast72) return;
  const { activity } = headers;
  out.u32(4 + transactionLength + (activity === undefined ? 0 : activityLength));
  out.u32(transactionLength);
  out.u16(transactionHeader);
  out.u64(headers.transaction);
  out.u32(headers.outstandingRequests);
  if (activity === undefined) return;
  out.u32(activityLength);
  out.u16(activityHeader);
  writeGuid(out, activity.id);
  out.u32(activity.sequence);
}
