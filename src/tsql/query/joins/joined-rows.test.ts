import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBudget } from '../../../base/memory/memory-budget.ts';
import { Turn } from '../../../base/threads/turn.ts';
import { noRows } from '../../evaluate/compiled.ts';
import { batchSize, inBatches } from '../batches.ts';
import type { JoinRow } from './join-row.ts';
import { joinedRows } from './joined-rows.ts';

test('FULL JOIN passes on the rows that match none in batches, like all others', async () => {
  const right = Array.from({ length: 5000 }, (_, at): JoinRow => [null, [at]]);
  const sides = {
    left: { rows: () => inBatches<JoinRow>([]) },
    right: { rows: () => inBatches(right) },
    joining: { equalities: [], rest: undefined },
    keepsLeft: true,
    keepsRight: true,
    sources: [],
  };
  const found: JoinRow[] = [];
  const run = { turn: new Turn(), memory: new MemoryBudget(Number.POSITIVE_INFINITY) };
  for await (const batch of joinedRows(sides, noRows, run)) {
    assert.ok(batch.length <= batchSize, `${batch.length} rows at once`);
    found.push(...batch);
  }
  assert.deepEqual(found, right);
});
