import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { type Manifest, manifestName, type StoredFile } from './manifest.ts';
import { tarEnd, tarHeader, tarPadding } from './tar.ts';

/** A file to be archived. */
export interface Source {
  /** Its name in the archive. */
  readonly path: string;
  /** Its path on disk. */
  readonly file: string;
}

/**
 * Where an archive is written, and where it is moved when it is complete; the caller that names the draft removes its
 * remains.
 */
interface Target {
  readonly draft: string;
  readonly file: string;
}

/**
 * Writes files and finally their manifest into a tar archive compressed with zstd. The archive appears under its name
 * complete and synced to disk, or not at all.
 */
export async function writeArchive(
  { draft, file }: Target,
  sources: AsyncIterable<Source>,
  signal: AbortSignal,
  manifest: (files: readonly StoredFile[]) => Manifest,
): Promise<Manifest> {
  const written: { manifest?: Manifest } = {};
  const content = Readable.from(
    (async function* () {
      const files: StoredFile[] = [];
      for await (const source of sources) files.push(yield* fileOf(source));
      written.manifest = manifest(files);
      yield* entryOf(manifestName, Buffer.from(`${JSON.stringify(written.manifest, undefined, 2)}\n`));
      yield tarEnd();
    })(),
    { objectMode: false },
  );
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  await pipeline(content, compress, createWriteStream(draft, { mode: 0o600 }), { signal });
  await synced(draft, 'r+');
  await rename(draft, file);
  // Not every file system syncs folders; the archive is complete all the same.
  await synced(dirname(file), 'r').catch(() => {});
  if (written.manifest === undefined) throw new Error('The archive was written without its manifest.');
  return written.manifest;
}

async function synced(path: string, how: 'r' | 'r+'): Promise<void> {
  await using file = await open(path, how);
  await file.sync();
}

async function* fileOf({ path, file }: Source): AsyncGenerator<Buffer, StoredFile> {
  const { size, mtime } = await stat(file);
  yield tarHeader(path, size, mtime);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes !== size) throw new Error(`${file} changed while it was read.`);
  yield tarPadding(size);
  return { path, bytes: size, sha256: hash.digest('hex') };
}

function* entryOf(path: string, content: Buffer): Generator<Buffer> {
  yield tarHeader(path, content.length, new Date());
  yield content;
  yield tarPadding(content.length);
}
