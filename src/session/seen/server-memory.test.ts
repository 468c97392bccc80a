import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServerMemory } from './server-memory.ts';

const megabyte = 1024 * 1024;
const limits = { sessionMemory: 10 * megabyte, loginMemory: 15 * megabyte, serverMemory: 20 * megabyte };

describe('the memory of sessions', () => {
  test('a session, a login and the server have limits, and what is over one of them is 701', () => {
    const memory = new ServerMemory(limits);
    const [one, two, other] = [memory.open('a'), memory.open('A'), memory.open('b')];
    one.budget.grow(9 * megabyte);
    assert.throws(() => one.budget.grow(2 * megabyte), { number: 701 });
    assert.throws(() => two.budget.grow(7 * megabyte), { number: 701 });
    two.budget.grow(5 * megabyte);
    other.budget.grow(4 * megabyte);
    assert.throws(() => other.budget.grow(3 * megabyte), { number: 701 });
    two.budget.shrink(3 * megabyte);
    other.budget.grow(3 * megabyte);
  });

  test('tables that sessions share have no more than one login', () => {
    const { shared } = new ServerMemory(limits);
    shared.grow(15 * megabyte);
    assert.throws(() => shared.grow(1), { number: 701 });
  });

  test('what a session has left over is free when it closes, once', () => {
    const memory = new ServerMemory(limits);
    const [one, two] = [memory.open('a'), memory.open('a')];
    one.budget.grow(9 * megabyte);
    two.budget.grow(megabyte);
    one.close();
    one.close();
    assert.ok(memory.used >= megabyte && memory.used < 2 * megabyte);
    two.close();
    assert.equal(memory.used, 0);
  });
});
