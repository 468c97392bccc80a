import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from './item.ts';
import { TakenBatches } from './taken-batches.ts';

test('a batch is open until everything of it is committed, however many came after it', () => {
  const batches = new TakenBatches();
  const [one, other] = [{} as Item, {} as Item];
  batches.add(1n, [one, other]);
  for (let batch = 2n; batch < 100n; batch++) {
    const item = {} as Item;
    batches.add(batch, [item]);
    batches.committed(item);
  }
  batches.add(100n, []);
  batches.committed(one);
  assert.deepEqual(batches.open, [1n]);
  batches.committed(other);
  assert.deepEqual(batches.open, []);
});
