import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SqlError } from '../../../src/base/messages/sql-error.ts';
import { type Sql, sql } from '../../../src/engine/sql.ts';
import { forEachEngine } from '../../support/engines.ts';
import { openShop } from './fixture.ts';

forEachEngine((engine) => {
  /** The error that a statement fails with in a shop of two boxes, one with an item. */
  async function errorOf(statement: Sql): Promise<SqlError> {
    await using shop = await openShop(engine);
    await shop.database.write(async (db) => {
      await db.insert(
        'boxes',
        ['id', 'label', 'size'],
        [
          [1, 'red', 5],
          [2, 'blue', 6],
        ],
      );
      await db.insert('items', ['box', 'place'], [[1, 7]]);
    });
    try {
      await shop.database.write((db) => db.run(statement));
    } catch (error) {
      assert.ok(error instanceof SqlError, String(error));
      assert.ok(error.cause instanceof Error, 'the driver’s own error is kept');
      return error;
    }
    return assert.fail('the statement did not fail');
  }

  test('a primary key that is there already is error 2627', async () => {
    const error = await errorOf(sql`insert into items (box, place) values (${1}, ${7})`);
    assert.deepEqual([error.number, error.severity, error.state], [2627, 14, 1]);
    assert.match(
      error.message,
      /^Violation of PRIMARY KEY constraint 'PK_items'\. Cannot insert duplicate key in object 'dbo\.items'\./,
    );
  });

  test('a unique key that is there already is error 2627 and names its index', async () => {
    const error = await errorOf(sql`update boxes set label = ${'red'} where id = 2`);
    assert.equal(error.number, 2627);
    assert.match(error.message, /^Violation of UNIQUE KEY constraint 'boxes_by_label'\. .* object 'dbo\.boxes'\./);
  });

  test('a row that refers to none is error 547', async () => {
    const error = await errorOf(sql`insert into items (box, place) values (9, 9)`);
    assert.equal(error.number, 547);
    assert.match(
      error.message,
      /^The INSERT statement conflicted with the FOREIGN KEY constraint ".*table "dbo\.items"/,
    );
  });

  test('a row that others refer to cannot be deleted: error 547', async () => {
    const error = await errorOf(sql`delete from boxes where id = 1`);
    assert.equal(error.number, 547);
    assert.match(error.message, /^The DELETE statement conflicted with the REFERENCE constraint "/);
  });

  test('a value that a check refuses is error 547 and names the check', async () => {
    const error = await errorOf(sql`update boxes set size = ${0}`);
    assert.equal(error.number, 547);
    assert.match(
      error.message,
      /^The UPDATE statement conflicted with the CHECK constraint "boxes_size"\..*table "dbo\.boxes"/,
    );
  });

  test('NULL in a column that allows none is error 515', async () => {
    const error = await errorOf(sql`insert into boxes (id, label, size) values (3, ${null}, 1)`);
    assert.equal(error.number, 515);
    assert.match(
      error.message,
      /^Cannot insert the value NULL into column 'label', table 'dbo\.boxes'; .* INSERT fails\.$/,
    );
  });

  test('a bulk insert with a duplicate tells the key and keeps nothing', async () => {
    await using shop = await openShop(engine);
    const rows = [
      [1, 'a', 1],
      [2, 'b', 1],
      [1, 'c', 1],
    ];
    await assert.rejects(
      shop.database.write((db) => db.insert('boxes', ['id', 'label', 'size'], rows)),
      {
        number: 2627,
        message: /The duplicate key value is \(1\)\.$/,
      },
    );
    assert.equal(await shop.database.write((db) => db.run(sql`delete from boxes`)), 0);
  });
});
