import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, readlink, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkError } from '../work-error.ts';
import { copyInto } from './copy-into.ts';
import { partName } from './leftovers.ts';
import type { WriteOptions } from './place.ts';

/** An open folder in which a file is created through its handle, so that nobody can replace the folder by another. */
export class OutputFolder {
  readonly #handle: FileHandle;
  readonly #path: string;

  constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** Puts a copy of a file there under a name: written and synced under another name first. */
  async put(name: string, from: string, { replace, signal }: WriteOptions): Promise<void> {
    if (name === '' || name.startsWith('.'))
      throw new WorkError('badName', `'${name}' is not a valid name for an output.`);
    const folder = await this.#anchor();
    const part = join(folder, partName(randomBytes(6).toString('hex')));
    try {
      await this.#write(part, from, signal);
      if (replace) await rename(part, join(folder, name));
      else await link(part, join(folder, name));
      await this.#handle.sync();
    } finally {
      await rm(part, { force: true });
    }
  }

  async #write(part: string, from: string, signal: AbortSignal): Promise<void> {
    await using source = await open(from);
    await using target = await open(part, 'wx', 0o666);
    await copyInto(target, source, Number.POSITIVE_INFINITY, signal);
    await target.sync();
  }

  async #anchor(): Promise<string> {
    const anchor = `/proc/self/fd/${this.#handle.fd}`;
    return await readlink(anchor).then(
      () => anchor,
      () => this.#path,
    );
  }
}
