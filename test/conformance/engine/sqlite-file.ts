import assert from 'node:assert/strict';
import { fdatasyncSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log/log.ts';
import { sql } from '../../../src/engine/sql.ts';
import { Connection } from '../../../src/engine/sqlite/connection.ts';
import { SqliteDatabase } from '../../../src/engine/sqlite/database.ts';
import { FarProcesses } from '../../../src/engine/sqlite/far/far-process.ts';
import { Checkpointer } from '../../../src/engine/sqlite/log/checkpointer.ts';
import type { FileSync } from '../../../src/engine/sqlite/log/log-sync.ts';
import { migrate } from '../../../src/engine/sqlite/migrate.ts';
import { shop } from './fixture.ts';

/** A database on a file of its own, whose syncs and checkpoints a test can hold back. */
export async function openFile(
  sync?: FileSync,
  time: () => number = () => 0,
  {
    checkpointer = new Checkpointer(),
    longestLog,
    patience,
  }: { checkpointer?: Checkpointer; longestLog?: number; patience?: number } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'granary-test-'));
  const path = join(folder, 'file.db');
  const connection = new Connection(path, 'writer');
  migrate(connection, 'file', [shop], systemClock);
  const farReaders = new FarProcesses(2);
  const database = new SqliteDatabase({
    name: 'file',
    kind: 'shop',
    connection,
    checkpointer,
    farReaders,
    farWriters: new FarProcesses(2),
    log: silentLog,
    ...(sync === undefined ? {} : { file: sync }),
    time,
    ...(longestLog === undefined ? {} : { longestLog }),
    patience,
  });
  return {
    database,
    connection,
    farReaders,
    path,
    async [Symbol.asyncDispose]() {
      await database.close();
      await checkpointer.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A sync that waits until it is let go, and tells when it was asked for. */
export function heldSync() {
  const asked: ((error?: Error) => void)[] = [];
  let tell = () => {};
  const sync: FileSync = {
    later: (descriptor, done) => {
      asked.push((error) => {
        fdatasyncSync(descriptor);
        done(error);
      });
      tell();
    },
  };
  const nextAsked = async () => {
    if (asked.length === 0) {
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
    }
    return asked.shift() ?? assert.fail('no sync was asked for');
  };
  return { sync, nextAsked, asked };
}

export const turn = () => new Promise(setImmediate);
export const insert = (id: number) => sql`insert into counters (id, n) values (${id}, 0)`;
