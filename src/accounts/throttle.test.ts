import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { defaultThrottle, Throttle } from './throttle.ts';

const fail = async () => undefined;
const succeed = async () => 'in';

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
    for (let i = 0; i < 12; i++) await throttle.attempt('guesser', fail);
    assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
  });

  test('the right password gets in after its wait and wipes the slate', async () => {
    const { throttle, waits } = throttled();
    for (let i = 0; i < 5; i++) await throttle.attempt('guesser', fail);
    assert.equal(await throttle.attempt('guesser', succeed), 'in');
    waits.length = 0;
    await throttle.attempt('guesser', fail);
    assert.equal(await throttle.attempt('guesser', succeed), 'in');
    assert.deepEqual(waits, []);
  });

  test('another address does not wait for what a guesser did', async () => {
    const { throttle, waits } = throttled();
    for (let i = 0; i < 4; i++) await throttle.attempt('sa\0 10.0.0.1', fail);
    waits.length = 0;
    assert.equal(await throttle.attempt('sa\0 10.0.0.2', succeed), 'in');
    assert.deepEqual(waits, []);
  });

  test('time that has passed counts towards the wait, and old failures are forgotten', async () => {
    const { throttle, waits, clock } = throttled();
    for (let i = 0; i < 4; i++) await throttle.attempt('guesser', fail);
    waits.length = 0;
    clock.advance(200);
    await throttle.attempt('guesser', fail);
    assert.deepEqual(waits, [300]);
    clock.advance(defaultThrottle.forget + 1);
    await throttle.attempt('guesser', fail);
    assert.deepEqual(waits, [300]);
  });

  test('a clock that is set back makes nobody wait longer than the bound', async () => {
    const { throttle, waits, clock } = throttled();
    for (let i = 0; i < 3; i++) await throttle.attempt('guesser', fail);
    clock.advance(-3_600_000);
    await throttle.attempt('guesser', fail);
    assert.deepEqual(waits, [250]);
  });

  test('attempts at the same moment are slowed down as if they came one after another', async () => {
    const { throttle, waits } = throttled();
    let running = 0;
    let most = 0;
    const guess = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      return undefined;
    };
    await Promise.all(Array.from({ length: 6 }, () => throttle.attempt('guesser', guess)));
    assert.equal(most, 1);
    assert.deepEqual(waits, [250, 500, 1000]);
  });

  test('beyond the longest queue an attempt is refused unseen', async () => {
    const { throttle } = throttled({ ...defaultThrottle, waiting: 2 });
    await throttle.attempt('guesser', fail);
    const queued = [throttle.attempt('guesser', fail), throttle.attempt('guesser', fail)];
    let seen = false;
    await throttle.attempt('guesser', async () => {
      seen = true;
      return 'in';
    });
    assert.equal(seen, false);
    await Promise.all(queued);
  });

  test('an attempt whose client has hung up keeps nobody waiting', async () => {
    const { throttle, waits } = throttled();
    for (let i = 0; i < 3; i++) await throttle.attempt('guesser', fail);
    const result = await throttle.attempt('guesser', succeed, AbortSignal.abort());
    assert.equal(result, undefined);
    assert.deepEqual(waits, []);
  });

  test('an error in an attempt reaches its caller and leaves the next one its turn', async () => {
    const { throttle } = throttled();
    const broken = throttle.attempt('guesser', async () => {
      throw new Error('the store is gone');
    });
    await assert.rejects(broken, /the store is gone/);
    assert.equal(await throttle.attempt('guesser', succeed), 'in');
  });

  test('invented names push out the longest remembered only', async () => {
    const { throttle, waits } = throttled({ ...defaultThrottle, capacity: 10 });
    for (let name = 0; name < 11; name++) {
      for (let i = 0; i < 3; i++) await throttle.attempt(`guesser ${name}`, fail);
    }
    await throttle.attempt('guesser 0', fail);
    assert.deepEqual(waits, []);
    await throttle.attempt('guesser 9', fail);
    assert.deepEqual(waits, [250]);
  });
});
