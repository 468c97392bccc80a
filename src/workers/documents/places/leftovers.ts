import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isAlive } from '../is-alive.ts';

/** Milliseconds after which an unfinished output of another machine is abandoned. */
const oldAge = 3_600_000;
const pattern = /^\.granary-(\d+)-[0-9a-f]+@(.+)\.part$/;

/** The name of an output while it is written: it identifies its writer. */
export const partName = (unique: string): string => `.granary-${process.pid}-${unique}@${hostname()}.part`;

/** The folders of outputs, and what killed workers have left in them. */
export class Leftovers {
  readonly #folders = new Set<string>();

  note(folder: string): void {
    this.#folders.add(folder);
  }

  /** Removes what dead workers began and did not end. */
  async remove(): Promise<void> {
    const folders = [...this.#folders];
    this.#folders.clear();
    for (const folder of folders) {
      for (const name of await readdir(folder).catch(() => [])) {
        if (await isDead(folder, name)) await rm(join(folder, name), { force: true }).catch(() => {});
      }
    }
  }
}

async function isDead(folder: string, name: string): Promise<boolean> {
  const [, pid, host] = pattern.exec(name) ?? [];
  if (pid === undefined) return false;
  if (host === hostname()) return !isAlive(Number(pid));
  const found = await stat(join(folder, name)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > oldAge;
}
