import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, sql, table } from '../../../src/engine/sql.ts';
import { forEachEngine } from '../../support/engines.ts';
import { bytes, flag, moment, number, openShop, text, wide } from './fixture.ts';

forEachEngine((engine) => {
  test('a value of every kind comes back as it went in', async () => {
    await using shop = await openShop(engine);
    const at = new Date('2024-02-29T12:34:56.789Z');
    const body = new Uint8Array([0, 1, 254, 255]);
    await shop.database.write((db) =>
      db.run(sql`insert into things (id, name, big, part, body, at, ok)
                 values (${1}, ${'Grüße 🌾'}, ${2n ** 63n - 1n}, ${-0.1}, ${body}, ${at}, ${true})`),
    );
    const shape = { id: number, name: text, big: wide, part: number, body: bytes, at: moment, ok: flag };
    const row = await shop.database.read((db) =>
      db.first(shape, sql`select id, name, big, part, body, at, ok from things`),
    );
    assert.deepEqual(row, { id: 1, name: 'Grüße 🌾', big: 2n ** 63n - 1n, part: -0.1, body, at, ok: true });
  });

  test('NULL is kept and read wherever the shape allows it', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) =>
      db.run(sql`insert into things (id, name, big, body) values (1, ${null}, ${null}, ${null})`),
    );
    const shape = { name: { orNull: text }, big: { orNull: wide }, body: { orNull: bytes }, none: { orNull: number } };
    const query = sql`select name, big, body, ${null} as "none" from things where name is not distinct from ${null}`;
    assert.deepEqual(await shop.database.read((db) => db.all(shape, query)), [
      { name: null, big: null, body: null, none: null },
    ]);
    await assert.rejects(
      shop.database.read((db) => db.all({ name: text }, sql`select name from things`)),
      /"name" is NULL where the shape/,
    );
  });

  test('whole numbers are integers to the database, so division is the same everywhere', async () => {
    await using shop = await openShop(engine);
    const shape = { half: number, part: number, sum: { orNull: number }, yes: flag };
    const row = await shop.database.read((db) =>
      db.first(
        shape,
        sql`select ${5} / ${2} as half, ${5.5} / ${2} as part,
                          (select sum(n) from counters) as sum, 1 = 1 as yes`,
      ),
    );
    assert.deepEqual(row, { half: 2, part: 2.75, sum: null, yes: true });
  });

  test('a nested piece is part of the statement, and each kind of nesting has its own text', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) =>
      db.insert(
        'counters',
        ['id', 'n'],
        [
          [1, 10],
          [2, 20],
          [3, 30],
        ],
      ),
    );
    const find = (where: ReturnType<typeof sql>) =>
      shop.database.read((db) => db.all({ id: number }, sql`select id from counters where ${where} order by id`));
    assert.deepEqual(await find(sql`n > ${10} and n < ${30}`), [{ id: 2 }]);
    assert.deepEqual(await find(sql`n = ${30}`), [{ id: 3 }]);
    assert.deepEqual(await find(sql`n > ${15} and ${sql`id <> ${3}`}`), [{ id: 2 }]);
    assert.deepEqual(await find(sql`n is not distinct from ${null}`), []);
  });

  test('a list stands behind `in`, also when it is empty', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(async (db) => {
      await db.insert(
        'things',
        ['id', 'name'],
        [
          [1, 'a'],
          [2, 'b\'"\\'],
          [3, 'c'],
        ],
      );
    });
    const ids = async (where: ReturnType<typeof sql>) => {
      const rows = await shop.database.read((db) =>
        db.all({ id: number }, sql`select id from things where ${where} order by id`),
      );
      return rows.map(({ id }) => id);
    };
    assert.deepEqual(await ids(sql`id in ${list('bigint', [1, 3n, 2n ** 62n])}`), [1, 3]);
    assert.deepEqual(await ids(sql`name in ${list('text', ['b\'"\\', 'c'])}`), [2, 3]);
    assert.deepEqual(await ids(sql`id in ${list('bigint', [])}`), []);
    assert.deepEqual(await ids(sql`id not in ${list('bigint', [])}`), [1, 2, 3]);
  });

  test('a table of values can be joined and updated from', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(async (db) => {
      await db.insert(
        'things',
        ['id', 'name'],
        [
          [1, 'a'],
          [2, 'b'],
          [3, 'c'],
        ],
      );
      const given = table({ key: 'bigint', label: 'text' }, [
        [1, 'x'],
        [3, null],
      ]);
      assert.equal(await db.run(sql`update things set name = t.label from ${given} t where things.id = t.key`), 2);
    });
    const rows = await shop.database.read((db) =>
      db.all({ id: number, name: { orNull: text } }, sql`select id, name from things order by id`),
    );
    assert.deepEqual(rows, [
      { id: 1, name: 'x' },
      { id: 2, name: 'b' },
      { id: 3, name: null },
    ]);
  });

  test('rows that replace take the place of those with their key, and leave columns that they do not name', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(async (db) => {
      await db.insert(
        'things',
        ['id', 'name', 'big'],
        [
          [1, 'one', 1n],
          [2, 'two', 2n],
        ],
      );
      await db.insert(
        'things',
        ['id', 'name'],
        [
          [2, 'second'],
          [3, null],
        ],
        ['id'],
      );
      await db.insert('counters', ['id', 'n'], [[1, 5]], ['id']);
      await db.insert('items', ['box', 'place'], [], ['box', 'place']);
    });
    const shape = { id: number, name: { orNull: text }, big: { orNull: number } };
    const rows = await shop.database.read((db) => db.all(shape, sql`select id, name, big from things order by id`));
    assert.deepEqual(rows, [
      { id: 1, name: 'one', big: 1 },
      { id: 2, name: 'second', big: 2 },
      { id: 3, name: null, big: null },
    ]);
  });

  test('many rows are inserted with every kind of value and NULLs between', async () => {
    await using shop = await openShop(engine);
    const rows = Array.from({ length: 5000 }, (_, id) => [
      id,
      id % 2 === 0 ? null : `n${id}`,
      BigInt(id) ** 4n,
      id / 4,
      id % 3 === 0 ? null : new Uint8Array([id % 256]),
      null,
      id % 2 === 1,
    ]);
    await shop.database.write((db) => db.insert('things', ['id', 'name', 'big', 'part', 'body', 'at', 'ok'], rows));
    await shop.database.write((db) => db.insert('things', ['id', 'name'], []));
    const shape = {
      id: number,
      name: { orNull: text },
      big: wide,
      part: number,
      body: { orNull: bytes },
      at: { orNull: moment },
      ok: flag,
    };
    const kept = await shop.database.read((db) =>
      db.all(shape, sql`select id, name, big, part, body, at, ok from things order by id`),
    );
    assert.deepEqual(
      kept.map((row) => Object.values(row)),
      rows,
    );
  });

  test('columns that are not the keys of the shape are refused', async () => {
    await using shop = await openShop(engine);
    await assert.rejects(
      shop.database.read((db) => db.all({ n: number, id: number }, sql`select id, n from counters`)),
      /yields the columns id, n but its shape is n, id/,
    );
  });

  for (const [what, value] of [
    ['U+0000', 'a\0b'],
    ['an unpaired surrogate', 'a\ud800'],
  ] as const) {
    test(`text with ${what} is refused as a value, in a list and in an insert`, async () => {
      await using shop = await openShop(engine);
      const refused = { name: 'SqlError', number: 50000, message: new RegExp(what.replace('+', '\\+')) };
      await assert.rejects(
        shop.database.write((db) => db.run(sql`insert into things (id, name) values (1, ${value})`)),
        refused,
      );
      await assert.rejects(
        shop.database.write((db) => db.insert('things', ['id', 'name'], [[1, value]])),
        refused,
      );
      const query = sql`select id from things where name in ${list('text', [value])}`;
      await assert.rejects(
        shop.database.read((db) => db.all({ id: number }, query)),
        refused,
      );
    });
  }

  test('a number that no column can hold is refused', async () => {
    await using shop = await openShop(engine);
    await assert.rejects(
      shop.database.write((db) => db.run(sql`update counters set n = ${2n ** 63n}`)),
      { number: 8115 },
    );
    await assert.rejects(
      shop.database.write((db) => db.run(sql`update things set part = ${Number.NaN}`)),
      { number: 50000 },
    );
  });

  test('text compares by its bytes and LIKE minds the case', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) =>
      db.insert(
        'things',
        ['id', 'name'],
        [
          [1, 'b'],
          [2, 'B'],
          [3, 'a'],
          [4, 'ä'],
          [5, '_'],
        ],
      ),
    );
    const names = await shop.database.read((db) => db.all({ name: text }, sql`select name from things order by name`));
    assert.deepEqual(
      names.map(({ name }) => name),
      ['B', '_', 'a', 'b', 'ä'],
    );
    const like = await shop.database.read((db) =>
      db.all({ id: number }, sql`select id from things where name like 'b%'`),
    );
    assert.deepEqual(like, [{ id: 1 }]);
  });

  test('greatest and least take several values', async () => {
    await using shop = await openShop(engine);
    const row = await shop.database.read((db) =>
      db.first(
        { most: number, least: number },
        sql`select greatest(${1}, ${null}, ${3}) as most, least(${2}, ${1}) as least`,
      ),
    );
    assert.deepEqual(row, { most: 3, least: 1 });
  });

  test('a broken statement is a fault that keeps its cause and its text', async () => {
    await using shop = await openShop(engine);
    await assert.rejects(
      shop.database.read((db) => db.all({ id: number }, sql`select id from nowhere`)),
      (error: unknown) => {
        assert.ok(error instanceof Error && error.name === 'EngineFault' && error.cause instanceof Error);
        assert.ok('statement' in error && error.statement === 'select id from nowhere');
        return true;
      },
    );
  });

  test('a call cannot go on after a statement of its own has failed', async () => {
    await using shop = await openShop(engine);
    const again = sql`insert into counters (id, n) values (1, 1)`;
    await shop.database.write((db) => db.run(again));
    await assert.rejects(
      shop.database.write(async (db) => {
        await db.run(again).catch(() => {});
        await db.run(sql`insert into counters (id, n) values (2, 2)`);
      }),
      /was run after one that had failed/,
    );
    await assert.rejects(
      shop.database.write(async (db) => {
        await db.run(again).catch(() => {});
      }),
      { number: 2627 },
    );
  });

  test('a Db is of no use after its work', async () => {
    await using shop = await openShop(engine);
    const kept = await shop.database.write(async (db) => [db]);
    await assert.rejects(async () => kept[0]?.run(sql`update counters set n = 1`), /after its unit of work/);
  });
});
