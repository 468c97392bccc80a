import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db, Together } from '../../../src/engine/db.ts';
import { type Sql, sql, table } from '../../../src/engine/sql.ts';
import { orNull } from '../../../src/procedure/declare.ts';
import { finishItem, finishing } from '../../../src/protocols/jobs/stop-item.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { bigint, int, smallint, varchar } from '../../../src/tds/types/index.ts';
import { openEngine } from '../../support/engines.ts';

const now = new Date(5000);
const succeeded = finishing(sql`error_code = null, worker = null`);
const itemShape = {
  Job: bigint,
  Group: smallint,
  Item: int,
  Started: orNull(bigint),
  Stopped: orNull(bigint),
  Leased: orNull(bigint),
  Error: orNull(int),
  Worker: orNull(varchar(36)),
};

/** What the call hands to a database that commits it with its last statement. */
async function endingOf(JobId: bigint, GroupId: number, ItemId: number): Promise<[Sql, Together]> {
  const taken: [Sql, Together | undefined][] = [];
  const db: Pick<Db, 'last'> = {
    last: async (statement, together) => {
      taken.push([statement, together]);
    },
  };
  await finishItem(db as Db, now, { JobId, GroupId, ItemId }, succeeded); // nothing else is asked for where `last` is
  const [statement, together] = taken[0] ?? assert.fail();
  return [statement, together ?? assert.fail()];
}

test('MS-TSSPROC 3.1.5.18: items that are finished with one statement are as if each had been finished with its own', async () => {
  await using engine = await openEngine('postgres', { schemas: [translation.schema] });
  const database = await engine.create('Jobs', 'translation');
  await database.write(async (db) => {
    for (const { key, expiredBefore } of [
      { key: 1, expiredBefore: 0 },
      { key: 2, expiredBefore: 9000 },
      { key: 3, expiredBefore: 4000 },
    ]) {
      await db.run(sql`
        insert into jobs (job_key, job_id, partition_id, create_time, submitted, item_total, waiting, running_since,
          first_stop, stops_until, expired_before, settings, user_token)
        values (${key}, ${key * 10}, '', 1, 1, 6, 0, 1, 1, ${Number.MAX_SAFE_INTEGER}, ${expiredBefore}, '',
          ${Buffer.from([1])})`);
      for (const group of [1, 2])
        await db.run(
          sql`insert into groups (job_key, group_id, input_root, output_root) values (${key}, ${group}, '', '')`,
        );
      await db.insert(
        'items',
        [
          'job_key',
          'group_id',
          'item_id',
          'start_time',
          'stop_time',
          'error_code',
          'attempts_remaining',
          'input_file',
          'output_file',
        ],
        [
          [key, 1, 1, 100, null, null, 2, '', ''],
          [key, 1, 2, 200, null, 7, 2, '', ''],
          [key, 1, 3, 300, 3500, 7, 0, '', ''],
          [key, 1, 4, 300, 4500, null, 0, '', ''],
          [key, 2, 1, 300, null, null, 2, '', ''],
        ],
      );
    }
  });
  const endings = await Promise.all(
    [10n, 20n, 30n, 40n].flatMap((job) =>
      [
        [1, 1],
        [1, 2],
        [1, 3],
        [1, 4],
        [1, 5],
        [3, 1],
      ].map(([group = 0, item = 0]) => endingOf(job, group, item)),
    ),
  );
  const [[, { form }] = assert.fail()] = endings;
  assert.ok(endings.every(([, together]) => together.form === form));
  assert.equal(new Set(endings.map(([, { what }]) => what)).size, endings.length);

  const after = async (statements: readonly Sql[]) => {
    const transaction = await database.begin();
    try {
      return await transaction.run(async (db) => {
        for (const statement of statements) await db.run(statement);
        return db.all(
          itemShape,
          sql`select job_key as "Job", group_id as "Group", item_id as "Item", start_time as "Started",
              stop_time as "Stopped", leased_until as "Leased", error_code as "Error", worker as "Worker"
            from items order by job_key, group_id, item_id`,
        );
      });
    } finally {
      await transaction.rollback();
    }
  };
  const untouched = await after([]);
  const oneByOne = await after(endings.map(([statement]) => statement));
  const atOnce = await after([
    form.statement(
      table(
        form.columns,
        endings.map(([, { row }]) => row),
      ),
    ),
  ]);
  assert.deepEqual(atOnce, oneByOne);
  const changed = oneByOne.filter((item, at) => item.Stopped !== untouched[at]?.Stopped);
  // Four of the first job, of the others those that neither stopped nor were deleted before.
  assert.equal(changed.length, 4 + 2 + 3);
});
