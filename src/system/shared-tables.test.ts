import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { batch } from '../../test/support/recorder.ts';
import { roundsOf } from '../../test/support/rounds-of.ts';
import { openSession } from '../../test/support/session.ts';
import { pace } from '../base/threads/turn.ts';
import { clientObjects } from '../tsql/storage/client-objects.ts';

const usual = pace.turnLength;
const many = 300;

describe('of many tables that sessions share', () => {
  afterEach(() => {
    pace.turnLength = usual;
  });

  for (const view of [
    'sys.tables',
    'sys.objects',
    'sys.columns',
    'sys.indexes',
    'sys.foreign_keys',
    'INFORMATION_SCHEMA.TABLES',
    'INFORMATION_SCHEMA.COLUMNS',
  ]) {
    test(`${view} of tempdb leaves others their turns while it lists them`, async () => {
      const host = await openSession();
      const seen = () =>
        roundsOf(async () => {
          const { errors } = await batch(host, `select count(*) from tempdb.${view}`);
          assert.deepEqual(errors, []);
        });
      pace.turnLength = 0;
      const before = await seen();
      const tables = Array.from({ length: many }, (_, at) => `create table ##many${at} (a int)`);
      assert.deepEqual((await batch(host, tables.join('\n'))).errors, []);
      const more = (await seen()) - before;
      assert.ok(more >= many, `${more} rounds more for ${many} tables`);
    });
  }

  test('nothing is listed for those who do not ask', () => {
    let looks = 0;
    const place = {
      schema: 'dbo',
      get tables(): never {
        looks++;
        throw new Error('nobody asked for tables');
      },
      procedures: new Map(),
      views: new Map(),
      newObjectId: () => 1,
    };
    const { schemas, temporaryTables } = clientObjects([place], []);
    assert.deepEqual(schemas, []);
    assert.equal(looks, 0);
    assert.throws(() => [...temporaryTables()], /nobody asked/);
  });
});
