import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { defaultThrottle, Throttle } from './throttle.ts';

const fail = async () => undefined;
const succeed = async () => 'in';
const guesser = { name: 'sa', address: '10.0.0.1' };

function throttled(rules = defaultThrottle) {
  const clock = new ManualClock();
  const waits: number[] = [];
  const throttle = new Throttle(clock, rules, async (milliseconds) => {
    waits.push(milliseconds);
    clock.advance(milliseconds);
  });
  return { clock, waits, throttle };
}

describe('Throttle', () => {
  test('the first failures cost nothing, then each doubles the wait up to a bound', async () => {
    const { throttle, waits } = throttled();
    for (let i = 0; i < 12; i++) await throttle.attempt(guesser, fail);
    assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
  });

  test('a failure whose client has left, or whose server stops, counts but is not waited for', async () => {
    const throttle = new Throttle(new ManualClock(), { ...defaultThrottle, first: 3_600_000, longest: 3_600_000 });
    for (let i = 0; i < defaultThrottle.free; i++) await throttle.attempt(guesser, fail);
    const leaving = new AbortController();
    const left = throttle.attempt(guesser, fail, leaving.signal);
    const stays = throttle.attempt(guesser, fail, new AbortController().signal);
    const unsignalled = throttle.attempt(guesser, fail);
    leaving.abort();
    assert.equal(await left, undefined);
    throttle.close();
    assert.deepEqual(await Promise.all([stays, unsignalled, throttle.attempt(guesser, fail)]), [
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('the right password gets in at once, however much was guessed before, and wipes the slate', async () => {
    const { throttle, waits } = throttled();
    for (let i = 0; i < 8; i++) await throttle.attempt(guesser, fail);
    waits.length = 0;
    assert.equal(await throttle.attempt(guesser, succeed), 'in');
    await throttle.attempt(guesser, fail);
    assert.deepEqual(waits, []);
  });

  test('another address does not wait for what a guesser did', async () => {
    const { throttle, waits } = throttled();
    for (let i = 0; i < 4; i++) await throttle.attempt(guesser, fail);
    waits.length = 0;
    await throttle.attempt({ ...guesser, address: '10.0.0.2' }, fail);
    assert.deepEqual(waits, []);
  });

  test('who guesses under ever new names is slowed down by address', async () => {
    const { throttle, waits } = throttled();
    const attempt = (number: number) => throttle.attempt({ ...guesser, name: `nobody ${number}` }, fail);
    for (let number = 0; number < defaultThrottle.freeOfAddress; number++) await attempt(number);
    assert.deepEqual(waits, []);
    assert.ok(throttle.isSuspect(guesser.address));
    await attempt(1000);
    await attempt(1001);
    assert.deepEqual(waits, [250, 500]);
  });

  test('the time that the check took counts towards the wait, and old failures are forgotten', async () => {
    const { throttle, waits, clock } = throttled();
    for (let i = 0; i < 3; i++) await throttle.attempt(guesser, fail);
    await throttle.attempt(guesser, async () => {
      clock.advance(100);
      return undefined;
    });
    assert.deepEqual(waits, [150]);
    clock.advance(defaultThrottle.forget + 1);
    await throttle.attempt(guesser, fail);
    assert.deepEqual(waits, [150]);
    assert.equal(throttle.isSuspect(guesser.address), false);
  });

  test('a clock that is set back makes nobody wait longer than the bound', async () => {
    const { throttle, waits, clock } = throttled();
    for (let i = 0; i < 3; i++) await throttle.attempt(guesser, fail);
    await throttle.attempt(guesser, async () => {
      clock.advance(-3_600_000);
      return undefined;
    });
    assert.deepEqual(waits, [250]);
  });

  test('an error in an attempt reaches its caller and is no failure', async () => {
    const { throttle, waits } = throttled();
    for (let i = 0; i < 10; i++) {
      const broken = throttle.attempt(guesser, async () => {
        throw new Error('the store is gone');
      });
      await assert.rejects(broken, /the store is gone/);
    }
    assert.equal(await throttle.attempt(guesser, succeed), 'in');
    assert.deepEqual(waits, []);
  });

  test('invented names push out the longest unheard of only', async () => {
    const { throttle, waits } = throttled({ ...defaultThrottle, freeOfAddress: 1000, capacity: 11 });
    const attempt = (number: number) => throttle.attempt({ ...guesser, name: `guesser ${number}` }, fail);
    for (let name = 0; name < 11; name++) for (let i = 0; i < 3; i++) await attempt(name);
    await attempt(0);
    assert.deepEqual(waits, []);
    await attempt(9);
    assert.deepEqual(waits, [250]);
  });
});
