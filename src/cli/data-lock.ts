import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivateFile, makePrivateFolder } from '../base/private-files.ts';
import { dataFiles } from '../engine/sqlite/files/files.ts';
import { LockFile } from '../engine/sqlite/files/lock-file.ts';
import { refuseForeignRoot } from './data-owner.ts';

/** Milliseconds that a start waits for a server that is just ending. */
const patience = 3_000;
const pause = 50;

/** Another server has the data folder. */
export class DataInUse extends Error {
  override readonly name = 'DataInUse';

  constructor(folder: string) {
    super(`Another Granary serves the data in ${folder}. Stop it first, or specify another folder with --data.`);
  }
}

/**
 * Keeps a second server off a data folder until disposed; creates the folder if there is none. The lock is one of
 * SQLite's on a separate file: the system releases it when the process ends, however it ends.
 */
export async function lockDataFolder(folder: string, wait = patience): Promise<Disposable> {
  refuseForeignRoot(folder);
  makePrivateFolder(folder, dataFiles);
  const path = join(folder, 'server.lock');
  makePrivateFile(path);
  for (let waited = 0; ; waited += pause) {
    const lock = tryLock(path);
    if (lock !== undefined) return lock;
    if (waited >= wait) throw new DataInUse(folder);
    await sleep(pause);
  }
}

function tryLock(path: string): Disposable | undefined {
  using opening = new DisposableStack();
  const lock = opening.use(new LockFile(path));
  return lock.tryExclusive() ? opening.move() : undefined;
}
