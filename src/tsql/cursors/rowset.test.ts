import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type FetchKind, Rowset } from './rowset.ts';

const rowset = (count: number): Rowset =>
  new Rowset(
    [],
    Array.from({ length: count }, (_, at) => [at + 1]),
    0,
  );
const ids = (rows: readonly (readonly unknown[])[]): unknown[] => rows.map(([id]) => id);

/** What fetches in a row give on five rows, and where the cursor then stands. */
const runs: readonly [what: string, fetches: readonly [FetchKind, number, number?][], rows: number[], at: number][] = [
  ['next from before the first row', [['next', 2]], [1, 2], 1],
  [
    'next after a block goes on behind it',
    [
      ['next', 2],
      ['next', 2],
    ],
    [3, 4],
    3,
  ],
  [
    'the last block may be short',
    [
      ['next', 4],
      ['next', 4],
    ],
    [5],
    5,
  ],
  [
    'next behind the last row stays there',
    [
      ['last', 1],
      ['next', 1],
      ['next', 1],
    ],
    [],
    -1,
  ],
  [
    'prior from behind the last row',
    [
      ['absolute', 1, 9],
      ['prior', 2],
    ],
    [4, 5],
    4,
  ],
  [
    'prior that would begin before the first row begins with it',
    [
      ['absolute', 3, 3],
      ['prior', 3],
    ],
    [1, 2, 3],
    1,
  ],
  [
    'prior without adjusting gives a short block',
    [
      ['absolute', 3, 3],
      ['priorExact', 3],
    ],
    [1, 2],
    1,
  ],
  [
    'prior of the first row',
    [
      ['first', 1],
      ['prior', 1],
    ],
    [],
    0,
  ],
  ['last', [['last', 3]], [3, 4, 5], 3],
  ['last of more rows than there are', [['last', 9]], [1, 2, 3, 4, 5], 1],
  ['absolute from the end', [['absolute', 1, -2]], [4], 4],
  ['absolute 0', [['absolute', 1, 0]], [], 0],
  ['absolute before the first row', [['absolute', 1, -9]], [], 0],
  ['absolute before the first row with a block that reaches it', [['absolute', 6, -9]], [1, 2, 3, 4, 5], 1],
  [
    'relative back',
    [
      ['last', 1],
      ['relative', 2, -2],
    ],
    [3, 4],
    3,
  ],
  [
    'relative 0 gives the same row again',
    [
      ['absolute', 1, 2],
      ['relative', 1, 0],
    ],
    [2],
    2,
  ],
];

describe('a rowset', () => {
  for (const [what, fetches, rows, at] of runs) {
    test(what, () => {
      const set = rowset(5);
      const [last = []] = fetches.map(([kind, count, to]) => set.fetch(kind, count, to)).slice(-1);
      assert.deepEqual(ids(last), rows);
      assert.equal(set.position, at);
    });
  }

  test('gives rows that follow each other, whatever is fetched', () => {
    const kinds = fc.constantFrom<FetchKind>('first', 'next', 'prior', 'priorExact', 'last', 'absolute', 'relative');
    const fetches = fc.array(fc.tuple(kinds, fc.integer({ min: 1, max: 7 }), fc.integer({ min: -9, max: 9 })));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fetches, (count, steps) => {
        const set = rowset(count);
        for (const [kind, size, to] of steps) {
          const rows = ids(set.fetch(kind, size, to));
          assert.ok(rows.length <= size);
          const first = set.position;
          assert.deepEqual(
            rows,
            rows.map((_, at) => first + at),
          );
          assert.ok(first >= -1 && first <= count);
        }
      }),
    );
  });
});
