import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  anything,
  array,
  boolean,
  integer,
  moment,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  text,
} from './schema.ts';

describe('schemas of the interface', () => {
  const schema = object({
    name: text(5),
    count: integer(1, 9),
    ratio: number(),
    kind: oneOf('one', 'other'),
    since: optional(moment()),
    rows: array(nullable(boolean())),
    by: record(anything()),
  });
  const good = { name: 'a', count: 3, ratio: 0.5, kind: 'one', rows: [true, null], by: { x: [1] } };

  test('a value that fits is handed on; one that does not is told by its place', () => {
    assert.deepEqual(schema.read(good, 'body'), good);
    const wrong: [object, RegExp][] = [
      [{ name: 'abcdef' }, /^Misfit: body\.name must be at most 5 characters long\.$/],
      [{ count: 10 }, /body\.count must be at most 9/],
      [{ count: 0 }, /body\.count must be at least 1/],
      [{ count: 1.5 }, /body\.count must be a whole number/],
      [{ ratio: '1' }, /body\.ratio must be a number/],
      [{ kind: 'none' }, /body\.kind must be one of one, other/],
      [{ rows: [1] }, /body\.rows\[0\] must be true or false/],
      [{ since: 5 }, /body\.since must be a text/],
      [{ more: 1 }, /body\.more must be left out/],
    ];
    for (const [change, message] of wrong) assert.throws(() => schema.read({ ...good, ...change }, 'body'), message);
    for (const other of [null, [], 'x']) assert.throws(() => schema.read(other, 'body'), /body must be an object/);
  });

  test('JSON Schema says the same', () => {
    const { properties, required } = schema.json as { properties: Record<string, unknown>; required: string[] };
    assert.deepEqual(properties['count'], { type: 'integer', minimum: 1, maximum: 9 });
    assert.deepEqual(properties['kind'], { type: 'string', enum: ['one', 'other'] });
    assert.ok(!required.includes('since') && required.includes('name'));
  });
});
