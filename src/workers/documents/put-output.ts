import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { OutputNotes } from '../dispatch/work-item.ts';
import type { Place, WriteOptions } from './places/place.ts';
import { WorkError } from './work-error.ts';
import type { WorkFolder } from './work-folder.ts';

interface PutOptions extends WriteOptions {
  readonly notes: OutputNotes;
  /** A file for a temporary copy of an existing output. */
  readonly scratch: WorkFolder;
}

/**
 * Stores the output of an item. One that may not replace anything is recorded before: a worker that is killed before it
 * has reported leaves an output that the next attempt recognises.
 */
export async function putOutput(
  places: Place,
  output: URL,
  from: string,
  { notes, scratch, ...options }: PutOptions,
): Promise<void> {
  if (!options.replace) {
    const earlier = await notes.noted();
    if (earlier !== undefined && (await digestAt(places, output, scratch, options.signal)) === earlier) return;
    await notes.note(await digestOf(from));
  }
  await places.write(output, from, options);
}

/** The digest of the file at a place; undefined if there is none, or it may not be read. */
async function digestAt(
  places: Place,
  url: URL,
  scratch: WorkFolder,
  signal: AbortSignal,
): Promise<string | undefined> {
  const copy = scratch.file('there');
  try {
    await places.read(url, copy, { largest: Number.MAX_SAFE_INTEGER, signal });
  } catch (error) {
    if (error instanceof WorkError) return undefined;
    throw error;
  }
  return await digestOf(copy);
}

/** The SHA-256 of a file, in hexadecimal. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
