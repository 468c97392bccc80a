import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWatchdog } from '../test/support/watchdog.ts';

/** The file system that Linux keeps in memory. */
const memory = '/dev/shm';
/** What the data of a run may grow to, with plenty to spare. */
const room = 4 * 2 ** 30;

/**
 * Makes the folder for all data of a run of tests, in memory if that is wanted and there is room: on a disk, the thousands of
 * small files of PostgreSQL's databases and the syncs of SQLite's take a third of the processor time of a run.
 */
export async function makeRunFolder(inMemory: boolean): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await mkdtempDisposable(join(inMemory && hasRoomInMemory() ? memory : tmpdir(), 'granary-'));
  // PostgreSQL, which does not run as root, must get to its own folder in this one.
  await chmod(folder.path, 0o755);
  // PostgreSQL's own watchdog finds it by a file in there, and has some seconds to do so.
  const watchdog = startWatchdog('sleep 5; rm -rf "$0"', folder.path);
  return {
    path: folder.path,
    [Symbol.asyncDispose]: async () => {
      watchdog.kill();
      await folder.remove();
    },
  };
}

/** A container's is often too small, or mounted so that no program in it runs, and tests run some that they have made. */
function hasRoomInMemory(): boolean {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : [];
  const [, , type, options = ''] =
    mounts.map((line) => line.split(' ')).findLast(([, place]) => place === memory) ?? [];
  if (type !== 'tmpfs' || options.split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= room && process.availableMemory() >= 2 * room;
}
