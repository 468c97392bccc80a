import assert from 'node:assert/strict';
import { fdatasyncSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { sql } from '../../../src/engine/sql.ts';
import { Checkpointer } from '../../../src/engine/sqlite/checkpointer.ts';
import { Connection } from '../../../src/engine/sqlite/connection.ts';
import { SqliteDatabase } from '../../../src/engine/sqlite/database.ts';
import { FarProcesses } from '../../../src/engine/sqlite/far-process.ts';
import type { FileSync } from '../../../src/engine/sqlite/log-sync.ts';
import { migrate } from '../../../src/engine/sqlite/migrate.ts';
import { openEngine } from '../../support/engines.ts';
import { number, shop } from './fixture.ts';

/** A database on a file of its own, whose syncs a test can hold back. */
async function openFile(sync?: FileSync, time: () => number = () => 0) {
  const folder = await mkdtemp(join(tmpdir(), 'granary-test-'));
  const path = join(folder, 'file.db');
  const connection = new Connection(path, 'writer');
  migrate(connection, 'file', [shop], systemClock);
  const checkpointer = new Checkpointer();
  const database = new SqliteDatabase({
    name: 'file',
    kind: 'shop',
    connection,
    checkpointer,
    farReaders: new FarProcesses(2),
    farWriters: new FarProcesses(2),
    log: silentLog,
    ...(sync === undefined ? {} : { file: sync }),
    time,
  });
  return {
    database,
    connection,
    path,
    async [Symbol.asyncDispose]() {
      await database.close();
      await checkpointer.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A sync that waits until it is let go, and tells when it was asked for. */
function heldSync() {
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

const turn = () => new Promise(setImmediate);
const insert = (id: number) => sql`insert into counters (id, n) values (${id}, 0)`;

test('no call is answered before the log is on disk, and those that came together share one sync', async () => {
  const held = heldSync();
  await using file = await openFile(held.sync);
  let answered = 0;
  const calls = Promise.all(
    Array.from({ length: 10 }, (_, id) => file.database.write((db) => db.run(insert(id))).then(() => answered++)),
  );
  const finish = await held.nextAsked();
  await turn();
  assert.deepEqual([answered, held.asked.length], [0, 0]);
  finish();
  await calls;
  assert.deepEqual([answered, held.asked.length], [10, 0]);
});

test('a failed call that came together with others is answered after the disk too', async () => {
  const held = heldSync();
  await using file = await openFile(held.sync);
  let refused = false;
  const first = file.database.write((db) => db.run(insert(1)));
  const second = file.database
    .write((db) => db.run(insert(1)))
    .catch(() => {
      refused = true;
    });
  const finish = await held.nextAsked();
  await turn();
  assert.equal(refused, false);
  finish();
  await Promise.all([first, second]);
  assert.equal(refused, true);
});

test('a reader that sees a commit waits until it is on disk', async () => {
  const held = heldSync();
  await using file = await openFile(held.sync);
  const write = file.database.write((db) => db.run(insert(1)));
  const finish = await held.nextAsked();
  let seen: number | undefined;
  const read = file.database.read(async (db) => {
    seen = (await db.all({ id: number }, sql`select id from counters`)).length;
  });
  await turn();
  assert.equal(seen, undefined);
  finish();
  await Promise.all([write, read]);
  assert.equal(seen, 1);
});

test('calls run while the log goes to disk, and are synced after it', async () => {
  const held = heldSync();
  await using file = await openFile(held.sync);
  const first = file.database.write((db) => db.run(insert(1)));
  const finishFirst = await held.nextAsked();
  let ran = false;
  const second = file.database.write(async (db) => {
    await db.run(insert(2));
    ran = true;
  });
  await turn();
  assert.equal(ran, true);
  finishFirst();
  await first;
  const finishSecond = await held.nextAsked();
  finishSecond();
  await second;
});

test('a second sync starts before the first has ended, but its calls are answered after the first’s', async () => {
  const held = heldSync();
  await using file = await openFile(held.sync);
  const answered: number[] = [];
  const write = (id: number) => file.database.write((db) => db.run(insert(id))).then(() => answered.push(id));
  const first = write(1);
  const finishFirst = await held.nextAsked();
  const second = write(2);
  const finishSecond = await held.nextAsked();
  finishSecond();
  await turn();
  assert.deepEqual(answered, []);
  finishFirst();
  await Promise.all([first, second]);
  assert.deepEqual(answered, [1, 2]);
});

test('a group ends when it has run as long as a sync takes, so that the next runs while it is synced', async () => {
  const held = heldSync();
  let time = 0;
  await using file = await openFile(held.sync, () => time);
  const first = file.database.write((db) => db.run(insert(0)));
  const finishFirst = await held.nextAsked();
  // A sixteenth of it counts: a sync takes 10.
  time = 160;
  finishFirst();
  await first;
  const answered: number[] = [];
  const writes = [1, 2, 3, 4, 5].map((id) =>
    file.database
      .write(async (db) => {
        await db.run(insert(id));
        time += 4;
      })
      .then(() => answered.push(id)),
  );
  const [finishGroup, finishNext] = [await held.nextAsked(), await held.nextAsked()];
  finishGroup();
  await turn();
  assert.deepEqual(answered, [1, 2, 3]);
  finishNext();
  await Promise.all(writes);
  assert.deepEqual(answered, [1, 2, 3, 4, 5]);
});

for (const [name, failsFirst] of [
  ['a sync that ends well after another had failed acknowledges nothing', true],
  ['a sync that ended well before an older one failed acknowledges nothing', false],
] as const) {
  test(name, async () => {
    const held = heldSync();
    await using file = await openFile(held.sync);
    const first = file.database.write((db) => db.run(insert(1)));
    const finishFirst = await held.nextAsked();
    const second = file.database.write((db) => db.run(insert(2)));
    const finishSecond = await held.nextAsked();
    const ends = [() => finishFirst(new Error('EIO')), () => finishSecond()];
    for (const end of failsFirst ? ends : ends.toReversed()) end();
    await assert.rejects(first, /whether the call was kept is not known/);
    await assert.rejects(second, /whether the call was kept is not known/);
  });
}

test('a call that is alone is synced at once, but not on a slow disk', async () => {
  let milliseconds = 0;
  let time = 0;
  const used: string[] = [];
  const sync: FileSync = {
    soon: () => {
      used.push('now');
      time += milliseconds;
      return { error: undefined };
    },
    later: (_, done) => {
      used.push('later');
      setImmediate(done);
    },
  };
  await using file = await openFile(sync, () => time);
  const write = (id: number) => file.database.write((db) => db.run(insert(id)));
  // The log is opened by the first sync.
  await write(1);
  await write(2);
  await Promise.all([write(3), write(4)]);
  assert.deepEqual(used, ['later', 'now', 'later']);
  milliseconds = 40;
  await write(5);
  await write(6);
  assert.deepEqual(used.slice(3), ['now', 'later']);
});

test('a disk that stalls under a call that is alone stops nobody else, and the call is answered after the sync', async () => {
  const late: ((error: Error | undefined) => void)[] = [];
  const sync: FileSync = {
    soon: (_, __, call) => {
      late.push(call);
      return 'goes on';
    },
    later: (_, done) => setImmediate(done),
  };
  await using file = await openFile(sync);
  await file.database.write((db) => db.run(insert(1)));
  let isAnswered = false;
  const stalled = file.database
    .write((db) => db.run(insert(2)))
    .then(() => {
      isAnswered = true;
    });
  while (late.length === 0) await turn();
  await turn();
  assert.equal(isAnswered, false);
  late[0]?.(undefined);
  await stalled;
});

test('a call that is alone and cannot be synced is not acknowledged, nor what comes after it', async () => {
  const sync: FileSync = {
    soon: () => ({ error: new Error('EIO') }),
    later: (_, done) => setImmediate(done),
  };
  await using file = await openFile(sync, () => 0);
  await file.database.write((db) => db.run(insert(1)));
  for (const id of [2, 3]) {
    await assert.rejects(
      file.database.write((db) => db.run(insert(id))),
      /could not be put on disk/,
    );
  }
});

test('after a sync that failed nothing is acknowledged any more', async () => {
  const held = heldSync();
  await using file = await openFile(held.sync);
  const write = file.database.write((db) => db.run(insert(1)));
  const finish = await held.nextAsked();
  finish(new Error('EIO'));
  await assert.rejects(write, /whether the call was kept is not known/);
  await assert.rejects(
    file.database.write((db) => db.run(insert(2))),
    /could not be put on disk/,
  );
  await assert.rejects(
    file.database.read((db) => db.all({ id: number }, sql`select id from counters`)),
    /could not be put/,
  );
});

test('nor after one that failed inside SQLite, which syncs the header of a log that starts over', async () => {
  await using file = await openFile();
  // What SQLite says then (SQLITE_IOERR_FSYNC); test/faults has it from a disk that fails.
  const failed = Object.assign(new Error('disk I/O error'), { errcode: 1034 });
  assert.match(file.connection.translated(failed, 'commit').message, /could not run a statement/);
  await assert.rejects(
    file.database.write((db) => db.run(insert(1))),
    /could not be put on disk/,
  );
});

test('a call that waited before a client’s transaction began minds its lock timeout', async () => {
  await using file = await openFile();
  const begin = file.database.begin();
  const write = file.database.write(() => assert.fail('it was run'), { lockTimeout: 20 });
  const transaction = await begin;
  await assert.rejects(write, { number: 1222 });
  await transaction.rollback();
});

test('a call that fills the disk fails alone; those beside it are kept', async () => {
  await using file = await openFile();
  // The limit is a property of the connection, so it is set through the writer itself.
  await file.database.write((db) => db.run(sql`pragma max_page_count = 300`));
  const outcomes = await Promise.allSettled([
    file.database.write((db) => db.run(insert(1))),
    file.database.write(async (db) => {
      await db.run(insert(2));
      await db.run(sql`insert into things (id, name) values (1, ${'x'.repeat(4_000_000)})`);
    }),
    file.database.write((db) => db.run(insert(3))),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.match(String(outcomes[1]?.status === 'rejected' && outcomes[1].reason), /is full due to 'DISK_FULL'/);
  const kept = await file.database.read((db) => db.all({ id: number }, sql`select id from counters order by id`));
  assert.deepEqual(kept, [{ id: 1 }, { id: 3 }]);
});

test('the log starts over under writing without a pause', async () => {
  await using file = await openFile();
  let last = 0;
  // About 400 MB of log in all: without checkpoints that catch up with the writers the file would be as long.
  const caller = async () => {
    while (last < 4000) {
      const id = ++last;
      const filler = String(id).padStart(8).repeat(12_500);
      await file.database.write((db) =>
        db.run(sql`insert into things (id, name) values (${id % 40}, ${filler})
                   on conflict (id) do update set name = excluded.name`),
      );
    }
  };
  await Promise.all(Array.from({ length: 4 }, caller));
  const { size } = await stat(`${file.path}-wal`);
  assert.ok(size < 200 * 2 ** 20, `the log is ${Math.round(size / 2 ** 20)} MB long`);
});

test('a database has pages of the size that its schema asks for, and keeps them', async () => {
  const sizes: unknown[] = [];
  await using storage = await openEngine('sqlite', { schemas: [{ ...shop, pageSize: 1024 }] });
  const database = await storage.create('Pages', 'shop');
  const size = { page_size: number };
  sizes.push((await database.read((db) => db.first(size, sql`pragma page_size`)))?.page_size);
  await using plain = await openFile();
  sizes.push((await plain.database.read((db) => db.first(size, sql`pragma page_size`)))?.page_size);
  assert.deepEqual(sizes, [1024, 4096]);
});

test('a hundred readers at once all get a snapshot', async () => {
  await using file = await openFile();
  await file.database.write((db) =>
    db.insert(
      'counters',
      ['id', 'n'],
      Array.from({ length: 1000 }, (_, id) => [id, id]),
    ),
  );
  const { promise: resume, resolve: go } = Promise.withResolvers<void>();
  let started = 0;
  const reads = Array.from({ length: 100 }, () =>
    file.database.read(async (db) => {
      let rows = 0;
      for await (const _ of db.rows({ id: number }, sql`select id from counters`)) {
        if (rows++ === 0 && ++started === 100) go();
        await resume;
      }
      return rows;
    }),
  );
  assert.deepEqual(await Promise.all(reads), Array(100).fill(1000));
});

test('work that has given way to others goes no further when its transaction is undone by a close', async () => {
  const held = heldSync();
  await using file = await openFile(held.sync);
  const before = file.database.write((db) => db.run(insert(0)));
  const finish = await held.nextAsked();
  const transaction = await file.database.begin();
  function* rows() {
    for (let id = 1; id <= 50_000; id++) yield [id, 0];
  }
  const inserted = Promise.allSettled([transaction.run((db) => db.insert('counters', ['id', 'n'], rows()))]);
  await turn();
  const closed = file.database.close(); // it waits for the sync that is held back
  const [{ status }] = await inserted;
  finish();
  await Promise.all([before, closed]);
  assert.equal(status, 'rejected');
  const reader = new Connection(file.path, 'reader');
  assert.deepEqual(reader.prepare('select id from counters').all(), [{ __proto__: null, id: 0 }]);
  reader.close();
});
