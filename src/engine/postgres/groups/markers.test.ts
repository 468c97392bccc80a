import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Server } from '../connect/server.ts';
import { Markers } from './markers.ts';

test('marker rows of commits are deleted again, each once and long after its commit', () => {
  // No server is contacted.
  const markers = new Markers({} as Server, 'shop');
  const ids: bigint[] = [];
  const gone: bigint[] = [];
  for (let made = 0; made < 3000; made++) {
    const { id, statements } = markers.begin(1);
    ids.push(id);
    const [, forget] = statements;
    const [from = id, to = -1n] = (forget?.parameters ?? []) as readonly bigint[]; // as it was generated
    for (let old = from; old <= to; old++) gone.push(old);
    assert.ok(to < id - 500n);
  }
  assert.deepEqual(
    gone.filter((id) => ids.includes(id)),
    ids.slice(0, gone.length - 512),
  );
  assert.ok(gone.length > 2000);
});
