import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageMemory } from './message-memory.ts';

/** A client that has logged in, from an address, and the errors that it was told. */
function known(memory: MessageMemory, address: string) {
  const told: number[] = [];
  const account = memory.account(address, ({ number }) => told.push(number));
  account.admit();
  return { account, told };
}

test('messages of one address have their limit though there is room for others: who holds most of it is refused', () => {
  const memory = new MessageMemory(1000, 100);
  const [small, large, other] = [known(memory, 'a'), known(memory, 'a'), known(memory, 'b')];
  small.account.set(30);
  large.account.set(60);
  other.account.set(90);
  small.account.set(50);
  assert.deepEqual([small.told, large.told, other.told], [[], [17803], []]);
  assert.deepEqual([small.account.bytes, large.account.bytes, other.account.bytes], [50, 0, 90]);
});

test('messages of all addresses have their limit too: who holds most at the address that holds most is refused', () => {
  const memory = new MessageMemory(200, 150);
  const clients = ['a', 'b', 'b', 'c'].map((address) => known(memory, address));
  for (const [at, bytes] of [70, 40, 50, 60].entries()) clients[at]?.account.set(bytes);
  assert.deepEqual(
    clients.map(({ told }) => told),
    [[], [], [17803], []],
  );
  assert.equal(memory.budgets[0]?.used, 170);
});
