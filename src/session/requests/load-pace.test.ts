import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { PayloadStream } from '../../tds/packet/index.ts';
import { LoadPace } from './load-pace.ts';

const megabyte = 1024 * 1024;
const { signal } = new AbortController();

/** A load of which so many bytes have come and were taken. */
async function begun(bytes: number, limits: ConstructorParameters<typeof LoadPace>[2], holds = false) {
  const stream = new PayloadStream(64 * megabyte);
  const pace = new LoadPace(stream, signal, limits, () => holds);
  stream.push(Buffer.alloc(bytes));
  for (let taken = 0; taken < bytes; ) taken += (await pace.next())?.length ?? 0;
  return { stream, pace };
}

describe('LoadPace', () => {
  test('a load for which others may wait is refused when nothing comes for the time that a transaction may be idle', async () => {
    const { pace } = await begun(megabyte + 1, { idleTransactionTimeout: 20, transactionTimeout: 0 });
    await assert.rejects(pace.next(), /rolled back, because it arrived at less than 10 KB per second/);
  });

  test('bytes that trickle in do not make up for the time that they took', async () => {
    const { stream, pace } = await begun(megabyte + 1, { idleTransactionTimeout: 100, transactionTimeout: 0 });
    const trickling = async () => {
      for (;;) {
        const next = pace.next();
        setTimeout(() => stream.push(Buffer.alloc(10)), 10);
        await next;
      }
    };
    await assert.rejects(trickling(), /rolled back/);
  });

  test('what has come before its transaction begins may have come as slowly as it likes', async () => {
    const { stream, pace } = await begun(100, { idleTransactionTimeout: 10, transactionTimeout: 10 });
    const next = pace.next();
    await delay(50);
    stream.push(Buffer.alloc(100));
    assert.equal((await next)?.length, 100);
  });

  test('a load in a transaction that holds something already is minded from its first byte', async () => {
    const { pace } = await begun(100, { idleTransactionTimeout: 20, transactionTimeout: 0 }, true);
    await assert.rejects(pace.next(), /rolled back/);
  });

  test('a load that takes longer than a transaction may last is error 3966, however much comes', async () => {
    const { stream, pace } = await begun(megabyte + 1, { idleTransactionTimeout: 0, transactionTimeout: 10 });
    await delay(20);
    stream.push(Buffer.alloc(megabyte));
    await assert.rejects(pace.next(), { number: 3966 });
  });
});
