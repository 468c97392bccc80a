import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifierOrder } from './identifier-order.ts';

test('identifiers sort by their last group first, then from right to left, as SQL Server documents it', () => {
  // Each differs from the others in one byte; ascending as `order by` of a uniqueidentifier column.
  const ascending = [
    '01000000-0000-0000-0000-000000000000',
    '00010000-0000-0000-0000-000000000000',
    '00000100-0000-0000-0000-000000000000',
    '00000001-0000-0000-0000-000000000000',
    '00000000-0100-0000-0000-000000000000',
    '00000000-0001-0000-0000-000000000000',
    '00000000-0000-0100-0000-000000000000',
    '00000000-0000-0001-0000-000000000000',
    '00000000-0000-0000-0001-000000000000',
    '00000000-0000-0000-0100-000000000000',
    '00000000-0000-0000-0000-000000000001',
    '00000000-0000-0000-0000-000000000100',
    '00000000-0000-0000-0000-010000000000',
  ];
  const sorted = ascending.toReversed().sort((a, b) => (identifierOrder(a) < identifierOrder(b) ? -1 : 1));
  assert.deepEqual(sorted, ascending);
});

test('the order of an identifier keeps all of its digits', () => {
  assert.equal(identifierOrder('33221100-5544-7766-8899-aabbccddeeff'), 'aabbccddeeff88996677445500112233');
});
