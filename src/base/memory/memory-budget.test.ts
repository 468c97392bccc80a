import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SqlError } from '../messages/sql-error.ts';
import { MemoryBudget } from './memory-budget.ts';

const isRefusal = (error: unknown): boolean => error instanceof SqlError && error.number === 701;

describe('MemoryBudget', () => {
  it('refuses growth past its limit with 701 and counts nothing of it', () => {
    const budget = new MemoryBudget(100);
    budget.grow(60);
    assert.throws(() => budget.grow(41), isRefusal);
    assert.equal(budget.used, 60);
    budget.grow(40);
  });

  it('refuses growth for which the budget above has no room, while others below go on', () => {
    const server = new MemoryBudget(1_000_000);
    const greedy = server.under(10_000_000);
    const modest = server.under(10_000_000);
    modest.grow(1000);
    greedy.grow(900_000);
    assert.throws(() => greedy.grow(100_000), isRefusal);
    modest.grow(1000);
    assert.equal(greedy.used, 900_000);
  });

  it('gives everything back when it is disposed of', () => {
    const server = new MemoryBudget(1_000_000);
    const session = server.under(500_000);
    {
      using statement = session.under(400_000);
      statement.grow(300_001);
      assert.ok(server.used >= 300_001);
    }
    assert.equal(session.used, 0);
    assert.equal(server.used, 0);
  });

  it('counts above at least what is used below and at most a portion more for each', () => {
    const change = fc.record({ to: fc.nat(2), bytes: fc.integer({ min: -200_000, max: 200_000 }) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const server = new MemoryBudget(1_000_000);
        const below = [server.under(400_000), server.under(700_000), server.under(2_000_000)];
        for (const { to, bytes } of changes) {
          const budget = below[to];
          if (budget === undefined) continue;
          if (bytes < 0) budget.shrink(Math.min(-bytes, budget.used));
          else
            try {
              budget.grow(bytes);
            } catch (error) {
              assert.ok(isRefusal(error));
            }
          const used = below.reduce((sum, each) => sum + each.used, 0);
          assert.ok(server.used >= used && server.used <= used + below.length * 65_536);
        }
        for (const each of below) each[Symbol.dispose]();
        assert.equal(server.used, 0);
      }),
    );
  });

  it('refuses to give back more than is in use: a mistake of the caller', () => {
    assert.throws(() => new MemoryBudget(10).shrink(1), RangeError);
  });
});
