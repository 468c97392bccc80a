import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { badLength } from '../stream-error.ts';

/** Partially length-prefixed values: max types and xml (MS-TDS 2.2.5.2.3). */
const nullLow = 0xffffffff;
const unknownLow = 0xfffffffe;
const high = 0xffffffff;

/** Reads the chunks of a value whose total length may be unknown; null for NULL. */
export function readPlp(bytes: ByteReader, typeName: string): Buffer | null {
  const low = bytes.u32();
  const upper = bytes.u32();
  if (low === nullLow && upper === high) return null;
  const known = !(low === unknownLow && upper === high);
  const start = bytes.position;
  let total = 0;
  let count = 0;
  for (let length = bytes.u32(); length !== 0; length = bytes.u32()) {
    bytes.skip(length);
    total += length;
    count++;
  }
  if (known && total !== low + upper * 0x1_0000_0000) throw badLength(bytes.subject, typeName);
  bytes.rewind(start);
  return count === 1 ? onlyChunk(bytes) : joined(bytes, total);
}

function onlyChunk(bytes: ByteReader): Buffer {
  const chunk = bytes.bytes(bytes.u32());
  bytes.skip(4);
  return chunk;
}

/** Joins the chunks of a value: an object for each would take a hundred times the memory of a one-byte chunk. */
function joined(bytes: ByteReader, total: number): Buffer {
  const value = Buffer.allocUnsafe(total);
  let at = 0;
  for (let length = bytes.u32(); length !== 0; length = bytes.u32()) {
    bytes.copy(length, value, at);
    at += length;
  }
  return value;
}

export function writePlpNull(out: ByteWriter): void {
  out.u32(nullLow);
  out.u32(high);
}

/** Announces a value of this many bytes, which follow at once in one chunk. */
export function beginPlp(out: ByteWriter, length: number): void {
  out.u64Number(length);
  if (length > 0) out.u32(length);
}

export const endPlp = (out: ByteWriter): void => out.u32(0);
