import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Frontier, type Slot } from './frontier.ts';
import type { Item } from './item.ts';

const items = (HostID: number, count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({ HostID, DocID: HostID * 1000 + at }) as Item);

/** Begins whatever may begin; each item has its turn at once. */
function beginAll(frontier: Frontier, interval = 0): Slot[] {
  const begun: Slot[] = [];
  for (let slot = frontier.next(); slot !== undefined; slot = frontier.next()) {
    slot.waits(0, interval);
    begun.push(slot);
  }
  return begun;
}

const hostsOf = (slots: readonly Slot[]): (number | null)[] => slots.map(({ item }) => item.HostID);

test('a host gets another slot only while it has fewer than are free, so that slow hosts leave some to others', () => {
  const frontier = new Frontier(16);
  const counts = [1, 2, 3].map((host) => {
    frontier.add(items(host, 100));
    return beginAll(frontier).length;
  });
  assert.deepEqual(counts, [8, 4, 2]);
  const single = new Frontier(1);
  single.add(items(1, 2));
  assert.equal(beginAll(single).length, 1, 'where there is one slot, it is used');
});

test('hosts take turns, whatever the order of their items in the queue', () => {
  const frontier = new Frontier(6);
  frontier.add([...items(1, 100), ...items(2, 100)]);
  assert.deepEqual(hostsOf(beginAll(frontier)), [1, 2, 1, 2]);
});

test('until an item knows its turn, no other of its host begins; then the next one begins an interval later', () => {
  let now = 0;
  const frontier = new Frontier(8, () => now);
  frontier.add([...items(1, 3), ...items(2, 1)]);
  const first = frontier.next();
  assert.equal(first?.item.HostID, 1);
  assert.deepEqual(hostsOf(beginAll(frontier)), [2]);
  first?.waits(0, 100);
  assert.equal(frontier.next(), undefined);
  assert.equal(frontier.wait, 80, 'it asks for its turn a little ahead');
  now = 80;
  assert.equal(frontier.next()?.item.DocID, 1001);
});

test('an item that waits for its turn holds no slot, and takes one when the turn comes', () => {
  const frontier = new Frontier(1);
  frontier.add([...items(1, 1), ...items(2, 2)]);
  const waiting = frontier.next();
  assert.equal(frontier.next(), undefined);
  waiting?.waits(5000, 5000);
  const other = frontier.next();
  assert.equal(other?.item.HostID, 2);
  waiting?.goes();
  other?.ends();
  assert.equal(frontier.next(), undefined, 'the slot is the one’s whose turn it was');
  waiting?.ends();
  assert.equal(frontier.next()?.item.HostID, 2);
});

test('a host that wants to be left alone is passed over until then', () => {
  let now = 0;
  const frontier = new Frontier(8, () => now);
  frontier.add([...items(1, 1), ...items(2, 1)]);
  frontier.rest(1, 60_000);
  assert.deepEqual(hostsOf(beginAll(frontier)), [2]);
  now = 60_000;
  assert.deepEqual(hostsOf(beginAll(frontier)), [1]);
});

test('the time of a host that rests is waited for, also where items of others wait for a slot', () => {
  let now = 0;
  const frontier = new Frontier(2, () => now);
  frontier.add([...items(1, 3), ...items(2, 1)]);
  frontier.rest(2, 100);
  assert.deepEqual(hostsOf(beginAll(frontier)), [1]);
  assert.equal(frontier.wait, 80);
  now = 80;
  assert.deepEqual(hostsOf(beginAll(frontier)), [2]);
  assert.equal(frontier.wait, undefined, 'the rest waits for slots alone');
});

test('it is stuck when slots are free and an item has waited for its host', () => {
  let now = 0;
  const frontier = new Frontier(4, () => now);
  frontier.add(items(1, 10));
  beginAll(frontier, 10_000);
  assert.equal(frontier.isStuck(1000), false);
  now = 1000;
  assert.equal(frontier.isStuck(1000), true);
  frontier.add(Array.from({ length: 4 }, (_, host) => items(host + 2, 1)).flat());
  beginAll(frontier);
  assert.equal(frontier.isStuck(1000), false, 'no slot is free');
});
