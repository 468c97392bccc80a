import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log/log.ts';
import { sql } from '../../../src/engine/sql.ts';
import { SqliteEngine } from '../../../src/engine/sqlite/engine.ts';
import type { FileSync } from '../../../src/engine/sqlite/log/log-sync.ts';
import { until } from '../../robustness/support/until.ts';
import { number, shop } from './fixture.ts';
import { heldSync, insert, openFile, turn } from './sqlite-file.ts';

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
    await assert.rejects(first, /whether the changes of the call were kept is unknown/);
    await assert.rejects(second, /whether the changes of the call were kept is unknown/);
  });
}

test('a call that is alone, as the one before it was, is synced at once, but not on a slow disk', async () => {
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
      setTimeout(done);
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
  assert.equal(used.at(3), 'later', 'it may be the first of many');
  await write(6);
  await write(7);
  assert.deepEqual(used.slice(4), ['now', 'later']);
});

test('a disk that stalls under a call that is alone stops nobody else, and the call is answered after the sync', async () => {
  const late: ((error: Error | undefined) => void)[] = [];
  const sync: FileSync = {
    soon: (_, __, call) => {
      late.push(call);
      return 'goes on';
    },
    later: (_, done) => setTimeout(done),
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
    later: (_, done) => setTimeout(done),
  };
  await using file = await openFile(sync, () => 0);
  await file.database.write((db) => db.run(insert(1)));
  for (const id of [2, 3]) {
    await assert.rejects(
      file.database.write((db) => db.run(insert(id))),
      /could not be synced to disk/,
    );
  }
});

test('after a sync that failed nothing is acknowledged any more', async () => {
  const held = heldSync();
  await using file = await openFile(held.sync);
  const write = file.database.write((db) => db.run(insert(1)));
  const finish = await held.nextAsked();
  finish(new Error('EIO'));
  await assert.rejects(write, /whether the changes of the call were kept is unknown/);
  await assert.rejects(
    file.database.write((db) => db.run(insert(2))),
    /could not be synced to disk/,
  );
  await assert.rejects(
    file.database.read((db) => db.all({ id: number }, sql`select id from counters`)),
    /could not be synced/,
  );
});

test('nothing is acknowledged after a sync that failed inside SQLite, which syncs the header of a log that starts over', async () => {
  await using file = await openFile();
  // What SQLite says then (SQLITE_IOERR_FSYNC); test/faults has it from a disk that fails.
  const failed = Object.assign(new Error('disk I/O error'), { errcode: 1034 });
  assert.match(file.connection.translated(failed, 'commit').message, /could not run a statement/);
  await assert.rejects(
    file.database.write((db) => db.run(insert(1))),
    /could not be synced to disk/,
  );
});

test('the syncs of commits are not SQLite’s, in a database that was just made and after a start: its own stop every session', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'granary-test-'));
  for (const open of ['create', 'open'] as const) {
    await using engine = new SqliteEngine({ folder, schemas: [shop], clock: systemClock, log: silentLog });
    await engine.start();
    const database = open === 'create' ? await engine.create('Made', 'shop') : await engine.open('Made');
    const normal = 1;
    assert.deepEqual(await database?.write((db) => db.first({ synchronous: number }, sql`pragma synchronous`)), {
      synchronous: normal,
    });
  }
  await rm(folder, { recursive: true });
});

test('a log that is copied is begun anew by another thread, which syncs its header, but not under a snapshot that may be claimed', async () => {
  await using file = await openFile();
  const { database, connection } = file;
  const fill = (from: number) =>
    database.write(async (db) => {
      for (let id = from; id < from + 2000; id++) await db.run(insert(id));
    });
  const checkpoints = () => database.figures().checkpoints?.seconds.count ?? 0;
  await fill(1);
  const pages = connection.logPages();
  assert.ok(pages > 1);
  const snapshot = await database.hold({});
  await until('the log is copied', () => checkpoints() > 0);
  await turn();
  assert.equal(connection.logPages(), pages);
  await (await snapshot.claim()).rollback();
  await snapshot.end();
  await fill(2001);
  assert.ok(connection.logPages() > 1);
  await until('the log is begun anew', () => connection.logPages() === 1);
  await fill(4001);
  const rows = await database.read((db) => db.all({ id: number }, sql`select id from counters`));
  assert.equal(rows.length, 6000);
});
