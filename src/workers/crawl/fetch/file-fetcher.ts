import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { spelledUrl } from '../url/normal-url.ts';
import { CrawlError } from './crawl-error.ts';
import type { Entry, Fetched } from './fetched.ts';

interface FileOptions {
  /** The folders of the start addresses; nothing outside them is read. */
  readonly roots: () => readonly string[];
  readonly largest: number;
}

/** Reads files and lists folders of this machine, below the start addresses only. */
export class FileFetcher {
  readonly #options: FileOptions;

  constructor(options: FileOptions) {
    this.#options = options;
  }

  async fetch(url: string): Promise<Fetched> {
    try {
      const path = await this.#within(fileURLToPath(url));
      const found = await stat(path);
      const modified = Math.floor(found.mtimeMs);
      if (found.isDirectory()) return { what: 'folder', entries: await entriesOf(path), modified };
      if (!found.isFile()) throw new CrawlError('unreadable', 'It is neither a file nor a folder.');
      if (found.size > this.#options.largest) throw new CrawlError('tooLarge', 'The document is too large.');
      return {
        what: 'content',
        body: await readUpTo(path, this.#options.largest),
        mediaType: '',
        charset: undefined,
        modified,
        tags: { noIndex: false, noFollow: false },
      };
    } catch (error) {
      throw asCrawlError(error);
    }
  }

  /** The path without symbolic links, which must not lead outside. */
  async #within(path: string): Promise<string> {
    const real = await realpath(path);
    let unknown: unknown;
    for (const root of this.#options.roots()) {
      try {
        const top = await realpath(fileURLToPath(root));
        if (real === top || real.startsWith(top.endsWith(sep) ? top : top + sep)) return real;
      } catch (error) {
        // The tree of another start address may be missing: nothing is in it, and what is in the others is read.
        if (!isMissing(error)) unknown ??= error;
      }
    }
    throw unknown ?? new CrawlError('accessDenied', 'It is outside the start addresses.');
  }
}

/** The entries of a folder, ordered by name; links, devices and entries that vanished meanwhile are left out. */
async function entriesOf(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const found = await readdir(folder, { withFileTypes: true });
  for (const entry of found.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (!entry.isFile() && !entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    const url = spelledUrl(pathToFileURL(path).href + (entry.isDirectory() ? '/' : ''));
    const facts = await stat(path).catch(() => undefined);
    if (url === undefined || facts === undefined) continue;
    entries.push({ url, name: entry.name, isFolder: entry.isDirectory(), modified: Math.floor(facts.mtimeMs) });
  }
  return entries;
}

/** Reads a file that may grow meanwhile. */
async function readUpTo(path: string, largest: number): Promise<Uint8Array> {
  await using file = await open(path);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.createReadStream({ autoClose: false })) {
    size += chunk.length;
    if (size > largest) throw new CrawlError('tooLarge', 'The document is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

function asCrawlError(error: unknown): CrawlError {
  if (error instanceof CrawlError) return error;
  const code = codeOf(error);
  if (isMissing(error)) return new CrawlError('notFound', 'There is no such file.');
  if (code === 'EACCES' || code === 'EPERM')
    return new CrawlError('accessDenied', 'Permission to read the file was denied.');
  return new CrawlError('communication', code === '' ? 'The file cannot be read.' : code, { cause: error });
}
