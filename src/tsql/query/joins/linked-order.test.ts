import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestUsualTurn } from '../../../../test/support/longest-turn.ts';
import type { Condition } from '../../../syntax/ast/expression.ts';
import { int } from '../../../tds/types/index.ts';
import { SelectScope } from '../scope.ts';
import type { FromNode, Source } from './from.ts';
import { indexesOf } from './from-tree.ts';
import { linkedOrder } from './linked-order.ts';

/** The order of tables t0, t1, … joined by commas, of which some have equal columns. */
function orderOf(count: number, equal: readonly (readonly [number, number])[]): number[] {
  const sources = Array.from(
    { length: count },
    (_, index): Source => ({
      index,
      alias: `t${index}`,
      label: `t${index}`,
      columns: [{ name: 'a', type: int, nullable: true }],
      correlated: false,
      rows: () => assert.fail('nothing is read'),
    }),
  );
  const [first, ...rest] = sources.map((source): FromNode => ({ kind: 'source', source }));
  assert.ok(first !== undefined);
  const tree = rest.reduce<FromNode>((left, right) => ({ kind: 'join', type: 'cross', left, right }), first);
  const column = (table: number) => ({ kind: 'column', parts: [`t${table}`, 'a'] }) as const;
  const where = equal.map(
    ([a, b]): Condition => ({ kind: 'comparison', operator: '=', left: column(a), right: column(b) }),
  );
  return indexesOf(linkedOrder(tree, where, new SelectScope(sources, undefined)));
}

test('tables are joined in the order in which equalities link them', () => {
  assert.deepEqual(
    orderOf(3, [
      [0, 2],
      [1, 2],
    ]),
    [2, 0, 1],
  );
  assert.deepEqual(
    orderOf(5, [
      [0, 4],
      [4, 1],
    ]),
    [4, 0, 1, 2, 3],
  );
});

test('the order is as written where another would not join fewer rows', () => {
  assert.deepEqual(orderOf(3, []), [0, 1, 2]);
  assert.deepEqual(
    orderOf(4, [
      [0, 1],
      [1, 2],
      [3, 2],
    ]),
    [0, 1, 2, 3],
  );
});

test('many tables are ordered in a time that does not grow with the cube of their number', async () => {
  for (const equal of [[], [[0, 999]]] as const)
    assert.ok((await longestUsualTurn(async () => orderOf(1000, equal), 100)) <= 100);
});
