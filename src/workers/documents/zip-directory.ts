import type { FileHandle } from 'node:fs/promises';
import { WorkError } from './work-error.ts';

/** The directory of a zip file. */
export interface ZipDirectory {
  readonly names: readonly string[];
  /** The bytes of all entries when they are unpacked, as the directory claims. */
  readonly unpacked: number;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const endSize = 22;
const longestComment = 0xffff;
/** Longer directories are no document's. */
const largestDirectory = 16 * 1024 * 1024;
/** A size that does not fit, for which the entry has a longer field elsewhere. */
const inZip64 = 0xffff_ffff;

/** Reads the directory of a zip file; undefined if there is none. */
export async function zipDirectory(file: FileHandle): Promise<ZipDirectory | undefined> {
  const { size } = await file.stat();
  const tail = await part(file, Math.max(0, size - endSize - longestComment), Math.min(size, endSize + longestComment));
  const end = tail.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end < 0 || tail.length - end < endSize || tail.readUInt32LE(end) !== endMark) return undefined;
  const length = tail.readUInt32LE(end + 12);
  const from = tail.readUInt32LE(end + 16);
  if (length === inZip64 || from === inZip64 || length > largestDirectory) {
    throw new WorkError('tooLarge', 'The document is too large when it is unpacked.');
  }
  return from + length > size ? undefined : entriesOf(await part(file, from, length));
}

function entriesOf(directory: Buffer): ZipDirectory | undefined {
  const names: string[] = [];
  let unpacked = 0;
  for (let at = 0; at + 46 <= directory.length; ) {
    if (directory.readUInt32LE(at) !== entryMark) return undefined;
    const size = directory.readUInt32LE(at + 24);
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const end = at + 46 + (name ?? 0);
    names.push(directory.toString('utf8', at + 46, end));
    // A size of zip64 is of four gigabytes or more, whatever it is.
    unpacked += size;
    at = end + (extra ?? 0) + (comment ?? 0);
  }
  return { names, unpacked };
}

async function part(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, from);
  return bytes.subarray(0, bytesRead);
}
