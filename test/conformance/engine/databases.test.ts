import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/clock.ts';
import type { Schema } from '../../../src/engine/engine.ts';
import { sql } from '../../../src/engine/sql.ts';
import { forEachEngine, newStore, openEngine } from '../../support/engines.ts';
import { number, shop, text } from './fixture.ts';

const changed = (count: number, ...extra: string[]): Schema => ({
  kind: 'changed',
  migrations: [
    'create table one (id bigint not null primary key)',
    "create table two (id bigint not null primary key, label text not null default 'x'); insert into two (id) values (1)",
    'create table three (id bigint not null primary key)',
    ...extra,
  ]
    .map((text, index) => ({ area: 'changed', number: index + 1, name: `step-${index + 1}`, text }))
    .slice(0, count),
});

forEachEngine((engine) => {
  test('a database is made, listed by name with its moment, opened whatever the case, and dropped', async () => {
    const clock = new ManualClock('2024-05-06T07:08:09.123Z');
    await using store = await openEngine(engine, { schemas: [shop], clock });
    assert.deepEqual(await store.list(), []);
    const made = await store.create('WSS_Content', 'shop');
    await store.create('Admin db ✓ / ..', 'shop');
    assert.deepEqual([made.name, made.kind], ['WSS_Content', 'shop']);
    assert.deepEqual(await store.list(), [
      { name: 'Admin db ✓ / ..', kind: 'shop', id: 6, created: clock.now() },
      { name: 'WSS_Content', kind: 'shop', id: 5, created: clock.now() },
    ]);
    assert.equal((await store.open('wss_content'))?.name, 'WSS_Content');
    assert.equal(await store.open('wss'), undefined);
    await store.drop('WSS_CONTENT');
    assert.equal(await store.open('WSS_Content'), undefined);
    assert.equal((await store.list()).length, 1);
  });

  test('errors 1801, 3701, 3708 and an unknown kind', async () => {
    await using store = await openEngine(engine, { schemas: [shop] });
    await store.create('One', 'shop');
    await assert.rejects(store.create('ONE', 'shop'), { number: 1801, message: /^Database 'ONE' already exists\./ });
    await assert.rejects(store.drop('Two'), { number: 3701 });
    await assert.rejects(store.create('Two', 'stable'), {
      number: 50000,
      message: /no kind of database called stable/,
    });
    await assert.rejects(store.create('Master', 'shop'), { number: 1801 });
    await assert.rejects(store.drop('TEMPDB'), { number: 3708, message: /'TEMPDB' because it is a system database/ });
    await assert.rejects(store.create('', 'shop'), { number: 50000 });
    await assert.rejects(store.create('x'.repeat(129), 'shop'), { number: 50000 });
  });

  test('names that differ in more than case are different databases, also where a file could not be', async () => {
    await using store = await openEngine(engine, { schemas: [shop] });
    const names = [
      'a',
      'a b',
      'a/b',
      'a.b',
      '../a',
      'granary',
      'x'.repeat(128),
      `${'x'.repeat(127)}y`,
      'ÄÖ',
      'con',
      'o\'b"c',
    ];
    for (const name of names) {
      const database = await store.create(name, 'shop');
      await database.write((db) => db.run(sql`insert into things (id, name) values (1, ${name})`));
    }
    for (const name of names) {
      const database = await store.open(name);
      assert.deepEqual(await database?.read((db) => db.all({ name: text }, sql`select name from things`)), [{ name }]);
    }
  });

  test('a dropped database comes back empty when it is made again', async () => {
    await using store = await openEngine(engine, { schemas: [shop] });
    for (let round = 0; round < 3; round += 1) {
      const database = await store.create('Again', 'shop');
      await database.write((db) => db.run(sql`insert into counters (id, n) values (1, ${round})`));
      await store.drop('Again');
    }
    assert.deepEqual(await store.list(), []);
  });

  test('what was written is there after the engine was stopped and started', async () => {
    await using store = await newStore(engine);
    const first = store.connect({ schemas: [shop] });
    await first.start();
    const made = await first.create('Kept', 'shop');
    await made.write((db) => db.run(sql`insert into counters (id, n) values (1, 42)`));
    await first.stop();
    await first.stop();
    await using second = store.connect({ schemas: [shop] });
    await second.start();
    const kept = await second.open('Kept');
    assert.deepEqual(await kept?.read((db) => db.all({ n: number }, sql`select n from counters`)), [{ n: 42 }]);
  });

  test('the system database is there from the start, with the schema of the kind system', async () => {
    const system: Schema = {
      kind: 'system',
      migrations: [
        {
          area: 'settings',
          number: 1,
          name: 'settings',
          text: 'create table settings (name text not null primary key)',
        },
      ],
    };
    await using store = await openEngine(engine, { schemas: [system, shop] });
    await store.system.write((db) => db.run(sql`insert into settings (name) values ('a')`));
    assert.deepEqual(await store.system.read((db) => db.all({ name: text }, sql`select name from settings`)), [
      { name: 'a' },
    ]);
    assert.deepEqual(await store.list(), []);
    await assert.rejects(store.create('Other', 'system'), { number: 50000 });
  });

  test('migrations are applied in order, once, and recorded', async () => {
    await using store = await newStore(engine);
    for (const count of [1, 2, 2, 3]) {
      await using granary = store.connect({
        schemas: [changed(count)],
        clock: new ManualClock('2024-01-01T00:00:00Z'),
      });
      await granary.start();
      const database = (await granary.open('Grown')) ?? (await granary.create('Grown', 'changed'));
      const shape = { area: text, number, name: text, applied: number };
      const rows = await database.read((db) =>
        db.all(shape, sql`select area, number, name, applied from granary_migrations order by number`),
      );
      const applied = Date.parse('2024-01-01T00:00:00Z');
      assert.deepEqual(
        rows,
        changed(count).migrations.map(({ number, name }) => ({ area: 'changed', number, name, applied })),
      );
      if (count === 3)
        assert.equal((await database.read((db) => db.all({ label: text }, sql`select label from two`))).length, 1);
    }
  });

  test('each area has its own numbers: one that kinds share grows behind what a kind has added', async () => {
    await using store = await newStore(engine);
    const step = (area: string, number: number) => ({
      area,
      number,
      name: 'step',
      text: `create table ${area}${number} (id bigint not null primary key)`,
    });
    const before: Schema = { kind: 'grown', migrations: [step('shared', 1), step('own', 1)] };
    const after: Schema = { kind: 'grown', migrations: [step('shared', 1), step('shared', 2), step('own', 1)] };
    for (const schema of [before, after]) {
      await using granary = store.connect({ schemas: [schema] });
      await granary.start();
      const database = (await granary.open('Grown')) ?? (await granary.create('Grown', 'grown'));
      const rows = await database.read((db) =>
        db.all({ area: text, number }, sql`select area, number from granary_migrations order by area desc, number`),
      );
      assert.deepEqual(
        rows,
        schema.migrations.map(({ area, number }) => ({ area, number })),
      );
    }
    await using older = store.connect({ schemas: [before] });
    await older.start();
    await assert.rejects(older.open('Grown'), /newer Granary: it has migration 2 \(step\) of shared/);
  });

  test('an older Granary refuses a database of a newer one', async () => {
    await using store = await newStore(engine);
    {
      await using newer = store.connect({ schemas: [changed(3)] });
      await newer.start();
      await newer.create('Grown', 'changed');
    }
    await using older = store.connect({ schemas: [changed(2)] });
    await older.start();
    await assert.rejects(older.open('Grown'), /database Grown was last opened by a newer Granary: it has migration 3/);
    assert.match(older.suspects().get('Grown') ?? '', /newer Granary/, 'clients get 926, and the log says why once');
  });

  test('a migration that was changed after it was applied is refused', async () => {
    await using store = await newStore(engine);
    {
      await using before = store.connect({ schemas: [changed(1)] });
      await before.start();
      await before.create('Grown', 'changed');
    }
    const rewritten: Schema = {
      kind: 'changed',
      migrations: [{ area: 'changed', number: 1, name: 'step-1', text: 'select 1' }],
    };
    await using after = store.connect({ schemas: [rewritten] });
    await after.start();
    await assert.rejects(after.open('Grown'), /Migration 1 \(step-1\) of changed differs from the one applied/);
  });

  test('a failing migration leaves nothing of itself, and the database as it was', async () => {
    await using store = await newStore(engine);
    const broken = changed(4, 'create table four (id bigint not null primary key); create table one (id bigint)');
    await using granary = store.connect({ schemas: [broken] });
    await granary.start();
    await assert.rejects(granary.create('Grown', 'changed'), /Migration 4 \(step-4\) of changed failed/);
    assert.equal(await granary.open('Grown'), undefined);
    await using mended = store.connect({ schemas: [changed(4, 'create table four (id bigint not null primary key)')] });
    await mended.start();
    const database = await mended.create('Grown', 'changed');
    assert.equal(await database.write((db) => db.run(sql`insert into four (id) values (1)`)), 1);
  });

  test('two engines that start on empty storage at once both come up and share what they make', async () => {
    await using store = await newStore(engine);
    await using one = store.connect({ schemas: [shop] });
    await using other = store.connect({ schemas: [shop] });
    await Promise.all([one.start(), other.start()]);
    const outcomes = await Promise.allSettled([one.create('Shared', 'shop'), other.create('Shared', 'shop')]);
    assert.ok(outcomes.some(({ status }) => status === 'fulfilled'));
    const [here, there] = [await one.open('Shared'), await other.open('Shared')];
    assert.ok(here !== undefined && there !== undefined);
    await here.write((db) => db.run(sql`insert into counters (id, n) values (1, 0)`));
    const step = sql`update counters set n = n + 1`;
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? here : there).write((db) => db.run(step))),
    );
    assert.deepEqual(await there.read((db) => db.all({ n: number }, sql`select n from counters`)), [{ n: 60 }]);
  });

  test('a database that another process dropped is gone here too, and one made again is the new one', async () => {
    await using store = await newStore(engine);
    await using one = store.connect({ schemas: [shop] });
    await using other = store.connect({ schemas: [shop] });
    await one.start();
    await other.start();
    const made = await one.create('Shared', 'shop');
    await made.write((db) => db.run(sql`insert into counters (id, n) values (1, 1)`));
    const there = await other.open('Shared');
    assert.equal((await there?.read((db) => db.all({ n: number }, sql`select n from counters`)))?.length, 1);
    await one.drop('Shared');
    assert.equal(await other.open('Shared'), undefined);
    await one.create('Shared', 'shop');
    const fresh = await other.open('Shared');
    assert.deepEqual(await fresh?.read((db) => db.all({ n: number }, sql`select n from counters`)), []);
  });

  test('a writer of one engine waits for the transaction of another, up to its lock timeout', async () => {
    await using store = await newStore(engine);
    await using one = store.connect({ schemas: [shop] });
    await using other = store.connect({ schemas: [shop] });
    await one.start();
    await other.start();
    const here = await one.create('Shared', 'shop');
    const there = await other.open('Shared');
    await here.write((db) => db.run(sql`insert into counters (id, n) values (1, 1)`));
    const transaction = await here.begin();
    const add = sql`update counters set n = n + 1 where id = 1`;
    await transaction.run((db) => db.run(add));
    await assert.rejects(async () => there?.write((db) => db.run(add), { lockTimeout: 30 }), { number: 1222 });
    const patient = there?.write((db) => db.run(add));
    await transaction.commit();
    assert.equal(await patient, 1);
  });
});
