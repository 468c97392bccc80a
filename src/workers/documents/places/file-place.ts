import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkError } from '../work-error.ts';
import { copyInto } from './copy-into.ts';
import { fileError } from './file-error.ts';
import { Leftovers } from './leftovers.ts';
import { OutputFolder } from './output-folder.ts';
import type { Place, ReadOptions, WriteOptions } from './place.ts';

interface FilePlaceOptions {
  /** The folders that may be read and written, and all in them. */
  readonly roots: readonly string[];
  /** Folders that may not, wherever they are. */
  readonly except: readonly string[];
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;

/** Files of this machine below the roots that the operator allows: neither `..` nor a link leads out of them. */
export class FilePlace implements Place {
  readonly #options: FilePlaceOptions;
  readonly #leftovers = new Leftovers();

  constructor(options: FilePlaceOptions) {
    this.#options = options;
  }

  async read(url: URL, into: string, { largest, signal }: ReadOptions): Promise<void> {
    try {
      const bounds = await this.#bounds();
      const path = await realIn(bounds, pathOf(url));
      await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      await check(bounds, file, path);
      const found = await file.stat();
      if (!found.isFile()) throw new WorkError('unreadable', 'It is not a file.');
      if (found.size > largest) throw new WorkError('tooLarge', `It has ${found.size} bytes; ${largest} are allowed.`);
      await using target = await open(into, 'wx', 0o600);
      await copyInto(target, file, largest, signal);
    } catch (error) {
      throw fileError(error, 'notFound');
    }
  }

  async write(url: URL, from: string, options: WriteOptions): Promise<void> {
    try {
      const path = pathOf(url);
      const bounds = await this.#bounds();
      const folder = await realIn(bounds, dirname(path), true);
      await using handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      await check(bounds, handle, folder, true);
      this.#leftovers.note(folder);
      await new OutputFolder(handle, folder).put(basename(path), from, options);
    } catch (error) {
      throw fileError(error, 'folderMissing');
    }
  }

  tidy(): Promise<void> {
    return this.#leftovers.remove();
  }

  async #bounds(): Promise<FilePlaceOptions> {
    const [roots, except] = await Promise.all([this.#options.roots, this.#options.except].map(spellings));
    return { roots: roots ?? [], except: except ?? [] };
  }
}

/**
 * A path without links. The path as written must be allowed too: the error for another one does not reveal whether it
 * exists.
 */
async function realIn(bounds: FilePlaceOptions, path: string, isFolder = false): Promise<string> {
  allowed(bounds, path, isFolder);
  return allowed(bounds, await realpath(path), isFolder);
}

/** The same path, unless it is outside of what is allowed. */
function allowed({ roots, except }: FilePlaceOptions, path: string, isFolder: boolean): string {
  if (except.some((folder) => isIn(path, folder, true))) throw outside(path);
  for (const root of roots) {
    // Names with a dot in front are keys, settings and repositories, not documents.
    const isHidden = relative(root, path)
      .split(sep)
      .some((part) => part.startsWith('.'));
    if (isIn(path, root, isFolder) && !isHidden) return path;
  }
  throw outside(path);
}

/** The opened file must be the one that was checked: a link may have replaced it in between. */
async function check(bounds: FilePlaceOptions, handle: FileHandle, expected: string, isFolder = false): Promise<void> {
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => expected);
  if (opened !== expected) allowed(bounds, opened, isFolder);
}

function pathOf(url: URL): string {
  if (url.host !== '' && url.host !== 'localhost')
    throw new WorkError('notAllowed', `The host ${url.host} is not supported in file URLs.`);
  return fileURLToPath(`file://${url.pathname}`);
}

/** Folders as written, and with links resolved. */
async function spellings(folders: readonly string[]): Promise<string[]> {
  const written = folders.map((folder) => resolve(folder));
  return [...written, ...(await Promise.all(written.map((folder) => realpath(folder).catch(() => folder))))];
}

const isIn = (path: string, folder: string, orItself: boolean): boolean =>
  path.startsWith(withSlash(folder)) || (orItself && path === folder);

const withSlash = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

const outside = (path: string): WorkError =>
  new WorkError('notAllowed', `${path} is outside the roots that this worker may use.`);
