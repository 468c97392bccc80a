import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MadeObjects } from './made-objects.ts';

test('objects that end with a session are found by it, and only as long as they are there', () => {
  const objects = new MadeObjects<{ readonly maker?: number }>(({ maker }) => maker);
  objects.set('##a', { maker: 51 }).set('##b', { maker: 51 }).set('##c', { maker: 52 });
  objects.set('stays', { maker: 51 }).set('##nobodys', {});
  assert.deepEqual(objects.madeBy(51), ['##a', '##b']);
  objects.delete('##a');
  // Another of the same name is its own maker's.
  objects.set('##b', { maker: 53 });
  assert.deepEqual(
    [51, 52, 53].map((spid) => objects.hasMade(spid)),
    [false, true, true],
  );
  assert.deepEqual(objects.madeBy(53), ['##b']);
  assert.deepEqual([...objects].map(([name]) => name).sort(), ['##b', '##c', '##nobodys', 'stays']);
});
