import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { BadArchive } from './bad-archive.ts';
import { format, isManifest, type Manifest, manifestName } from './manifest.ts';
import { SlidingBytes } from './sliding-bytes.ts';
import { readTarHeader, tarBlock } from './tar.ts';

/** One file of an archive; its content must be read before the next one is requested. */
export interface ArchivedFile {
  readonly path: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** The longest manifest; one of ten thousand databases is shorter. */
const longestManifest = 64 * 1024 * 1024;

/** Receives the share of an archive that was read. */
export type ReadProgress = (share: number) => void;

/** The files of an archive in their order. */
export async function* archivedFiles(path: string, progress: ReadProgress = () => {}): AsyncGenerator<ArchivedFile> {
  const decompress = createZstdDecompress();
  const source = createReadStream(path);
  const { size: length } = await stat(path);
  source.on('data', () => progress(source.bytesRead / length));
  const running = pipeline(source, decompress);
  running.catch(() => {}); // the reader gets the failure
  const bytes = new SlidingBytes(decompress, path);
  try {
    for (;;) {
      const header = readTarHeader(await bytes.exactly(tarBlock));
      if (header === undefined) return;
      const { size } = header;
      let isRead = false;
      yield {
        ...header,
        content: (async function* () {
          yield* bytes.upTo(size);
          isRead = true;
        })(),
      };
      if (!isRead) for await (const _ of bytes.upTo(size));
      await bytes.exactly((tarBlock - (size % tarBlock)) % tarBlock);
    }
  } finally {
    decompress.destroy();
    await running.catch(() => {});
  }
}

/** Reads a whole archive and verifies it against its manifest, byte for byte. */
export async function verifiedManifest(path: string, progress?: ReadProgress): Promise<Manifest> {
  const found = new Map<string, { bytes: number; sha256: string }>();
  let manifest: Manifest | undefined;
  for await (const file of archivedFiles(path, progress)) {
    if (file.path === manifestName) manifest = await readManifest(file, path);
    else found.set(file.path, await digested(file));
  }
  if (manifest === undefined)
    throw new BadArchive(`${path} has no manifest: it is truncated, or not a backup of Granary.`);
  if (manifest.format > format) {
    throw new BadArchive(
      `${path} was written by Granary ${manifest.release}, in a format that this version does not know.`,
    );
  }
  for (const { path: name, bytes, sha256 } of manifest.files) {
    const file = found.get(name);
    if (file?.bytes !== bytes || file.sha256 !== sha256)
      throw new BadArchive(`${name} in ${path} is damaged or missing.`);
  }
  if (found.size !== manifest.files.length)
    throw new BadArchive(`${path} contains files that its manifest does not list.`);
  return manifest;
}

async function readManifest({ size, content }: ArchivedFile, path: string): Promise<Manifest> {
  if (size > longestManifest) throw new BadArchive(`The manifest of ${path} is too long.`);
  const text = Buffer.concat(await Array.fromAsync(content)).toString('utf8');
  const manifest = parsed(text);
  if (!isManifest(manifest)) throw new BadArchive(`The manifest of ${path} cannot be read: it is not of Granary.`);
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function digested({ content }: ArchivedFile) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
