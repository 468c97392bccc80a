import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/clock.ts';
import { type Sql, sql } from '../../../src/engine/sql.ts';
import { isStored } from '../../../src/procedure/relations/relation.ts';
import { selectFrom } from '../../../src/procedure/relations/select-relation.ts';
import { jobProgress, jobsInLine } from '../../../src/protocols/jobs/progress.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { openEngine } from '../../support/engines.ts';
import { noting, planOf, ranPlanOf } from '../../support/plans.ts';
import { batchUpdate } from './documents.ts';
import { procedureOf, worker } from './fixture.ts';
import { InProcessHost } from './hosts.ts';

const item = { JobId: 1n, GroupId: 1, ItemId: 1 };
const batch = { NumberOfConversionsInBatch: 100, InProgressThreshold: new Date('2025-01-01') };
const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  GetConversionBatch: batch,
  GetConversionBatchInterleaved: batch,
  UpdateConversionBatch: { BatchXml: batchUpdate('translation/2010/11', [{ ...item, Worker: worker }]) },
  UpdateFailedItem: { ...item, NoRetry: false, ErrorCode: 1 },
  UpdateSucceededItem: item,
  GetJobStatus: { JobId: 1n },
  JobsExpire: { IncludeActiveJobs: false, TimeThreshold: new Date('2025-01-01') },
};

const why = translation.procedures.find(({ name }) => name === 'WhyItemsWait') ?? assert.fail();
const checked = [
  ...Object.entries(calls).map(([name, input]) => ({ name, input, procedure: procedureOf(translation, name) })),
  { name: 'WhyItemsWait', input: { JobId: 1n, Most: 1 }, procedure: why },
  { name: 'WhyItemsWait of a group', input: { JobId: 1n, GroupId: 1, AfterItem: 1, Most: 1 }, procedure: why },
];

for (const { name, input, procedure } of checked) {
  test(`${procedure.section === 'Granary' ? name : procedure.section}: no statement reads more items or jobs than it must`, async () => {
    const clock = new ManualClock();
    await using storage = await openEngine('sqlite', { schemas: [translation.schema], clock });
    const database = await storage.create('Jobs', 'translation');
    const statements: Sql[] = [];
    const host = new InProcessHost({ run: (work) => database.write((db) => work(noting(db, statements))) }, clock);
    await database.write(async (db) => {
      for (const key of [1, 2]) {
        await db.run(sql`
          insert into jobs (job_key, job_id, partition_id, create_time, submitted, item_total, waiting, running_since,
            first_stop, stops_until, settings, user_token)
          values (${key}, ${key}, '', 1, 1, 2, 1, 1, 1, ${Number.MAX_SAFE_INTEGER}, '', ${Buffer.from([1])})`);
        await db.run(sql`insert into groups (job_key, group_id, input_root, output_root) values (${key}, 1, '', '')`);
        await db.insert(
          'items',
          ['job_key', 'group_id', 'item_id', 'start_time', 'attempts_remaining', 'input_file', 'output_file'],
          [
            [key, 1, 1, 1, 2, '', ''],
            [key, 1, 2, null, 2, '', ''],
          ],
        );
      }
    });
    assert.equal((await host.call(procedure, input)).error, undefined);
    assert.ok(statements.length > 0);
    // Finishing an item is the one call that thousands a second are made of: one statement that changes one row.
    if (name === 'UpdateSucceededItem') assert.equal(statements.length, 1);
    for (const statement of statements) {
      const plan = await database.write((db) => planOf(db, statement));
      assert.deepEqual(
        plan.filter((line) => readsTooMuch(name, line)),
        [],
      );
    }
  });
}

test('WhyItemsWait: on PostgreSQL too, whose planner sorts where it can, a few items are told without reading the others', async () => {
  const clock = new ManualClock();
  await using storage = await openEngine('postgres', { schemas: [translation.schema], clock });
  const database = await storage.create('Jobs', 'translation');
  const statements: Sql[] = [];
  const host = new InProcessHost({ run: (work) => database.write((db) => work(noting(db, statements))) }, clock);
  await database.write(async (db) => {
    await db.run(sql`
      insert into jobs (job_key, job_id, partition_id, create_time, submitted, item_total, waiting, settings, user_token)
      values (1, 1, '', 1, 1, 5000, 1, '', ${Buffer.from([1])})`);
    await db.run(sql`insert into groups (job_key, group_id, input_root, output_root) values (1, 1, '', '')`);
    const items = Array.from({ length: 5000 }, (_, at) => [1, 1, at, 2, '', '']);
    await db.insert(
      'items',
      ['job_key', 'group_id', 'item_id', 'attempts_remaining', 'input_file', 'output_file'],
      items,
    );
    await db.run(sql`analyze items`);
  });
  assert.equal((await host.call(why, { JobId: 1n, Most: 1 })).error, undefined);
  const telling = statements.find(({ strings }) => /input_file/.test(strings.join())) ?? assert.fail();
  const plan = await database.write((db) => ranPlanOf(db, telling));
  const rows = plan.flatMap((line) => /actual rows=([\d.]+)/.exec(line)?.slice(1).map(Number) ?? []);
  assert.ok(rows.length > 0 && Math.max(...rows) <= 1, plan.join('\n'));
});

test('JobProgress: no job is told by reading all of its items', async () => {
  await using storage = await openEngine('sqlite', { schemas: [translation.schema] });
  const database = await storage.create('Jobs', 'translation');
  assert.ok(isStored(jobProgress));
  const { query } = selectFrom(jobProgress, { columns: Object.keys(jobProgress.columns) });
  const plan = await database.write((db) => planOf(db, query));
  assert.ok(plan.some((line) => /items_failed/.test(line)));
  assert.deepEqual(
    plan.filter((line) => /^(SCAN (items|i)\b|SEARCH (items|i) USING PRIMARY KEY \(job_key=\?\))/.test(line)),
    [],
  );
});

test('JobsInLine: jobs that wait are read off the line, the first first', async () => {
  await using storage = await openEngine('sqlite', { schemas: [translation.schema] });
  const database = await storage.create('Jobs', 'translation');
  assert.ok(isStored(jobsInLine));
  const { query } = selectFrom(jobsInLine, { columns: ['JobId'] });
  const ordered = sql`${query} order by j.create_time, j.job_id limit 1`;
  const plan = await database.write((db) => planOf(db, ordered));
  assert.deepEqual(plan, [
    'SCAN j USING INDEX jobs_in_line',
    'CORRELATED SCALAR SUBQUERY 1',
    'SEARCH i USING INDEX items_open (open_in=? AND start_time=?)',
  ]);
});

/**
 * Whole tables, and all items of a job. Only its status is counted over those, and only expiry looks at every job, and at
 * the items of one where the job's own word is too rough.
 */
function readsTooMuch(name: string, line: string): boolean {
  if (/^SCAN (items|i)\b/.test(line)) return true;
  if (/^SEARCH (items|i) USING PRIMARY KEY \(job_key=\?(\)| AND group_id=\? AND item_id>)/.test(line))
    return !['GetJobStatus', 'JobsExpire'].includes(name);
  return /^SCAN (jobs|j)\b/.test(line) && !/USING.*jobs_(in_line|running)/.test(line) && name !== 'JobsExpire';
}
