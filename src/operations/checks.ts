import { statfs } from 'node:fs/promises';
import type { Engine } from '../engine/engine.ts';
import { type Check, inTime, reasonOf } from './health.ts';

/** Free bytes on the disk of the data below which a server is not ready. */
const leastFree = 64 * 1024 * 1024;

/** The engine answers and can write, every database opens, and on SQLite there is room on the disk. */
export async function engineChecks(engine: Engine, folder: string): Promise<Check[]> {
  // Asked once: an engine that does not answer would make the caller wait twice, longer than most probes do.
  const listing = inTime(engine.list());
  const own: Check = {
    name: 'engine',
    async run() {
      return await listing.then(
        () => engine.refusal(),
        (error: unknown) => engine.absence() ?? reasonOf(error),
      );
    },
  };
  const listed = await listing.catch(() => []);
  const databases = listed.map(({ name }) => ({
    name: `database ${name}`,
    run: async () => ((await engine.open(name)) === undefined ? 'it has just been dropped' : undefined),
  }));
  return [own, ...databases, ...(engine.name === 'sqlite' ? [roomOn(folder)] : [])];
}

const roomOn = (folder: string): Check => ({
  name: 'disk',
  async run() {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    return free < leastFree ? `only ${Math.floor(free / 1024 ** 2)} MB are free in ${folder}` : undefined;
  },
});
