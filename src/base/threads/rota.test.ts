import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import { stat as statLater } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { currentWorker, hasHadItsShare, nextTurn, share, thisRound, workingFor } from './rota.ts';
import { sendAfterTurn } from './send-after-turn.ts';

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('turns go round among those who work, however many pieces of work each has', async () => {
  const order: string[] = [];
  const work = (who: string, steps: number) =>
    workingFor(who, async () => {
      for (let step = 0; step < steps; step++) {
        await nextTurn();
        order.push(who);
      }
    });
  await Promise.all([...Array.from({ length: 20 }, () => work('greedy', 3)), work('modest', 5)]);
  assert.ok(order.lastIndexOf('modest') < 12, `the modest one was done at ${order.lastIndexOf('modest')} of 65`);
});

test('what comes in is looked at between two turns', async () => {
  let looked = 0;
  const timer = setInterval(() => {
    looked++;
  }, 1);
  const busy = async () => {
    for (let step = 0; step < 5; step++) {
      await nextTurn();
      work(2);
    }
  };
  await Promise.all(Array.from({ length: 10 }, () => workingFor('busy', busy)));
  clearInterval(timer);
  assert.ok(looked >= 25, `looked ${looked} times in 50 turns`);
});

test('work that was begun by what came in lets the next be looked at before it goes on', async () => {
  await statLater('.');
  let isHeard = false;
  stat('.', () => {
    isHeard = true;
  });
  work(30);
  await nextTurn();
  assert.ok(isHeard);
});

test('what was answered meanwhile is sent before work that gave way goes on', async () => {
  let turns = 0;
  let isSent = false;
  const socket = new Writable({
    write(_bytes, _encoding, done) {
      isSent = true;
      done();
    },
  });
  const timer = setTimeout(() => {
    sendAfterTurn(socket);
    socket.write('answer');
    turns = 0;
  }, 5);
  for (turns = 0; !isSent && turns < 100; turns++) {
    await nextTurn();
    work(2);
  }
  clearTimeout(timer);
  assert.equal(turns, 1);
});

test('what all pieces of work of one take of a round is counted together, and for nobody else', async () => {
  const usual = share.quota;
  share.quota = 100_000;
  try {
    await nextTurn();
    const worked = (who: string, milliseconds: number) =>
      workingFor(who, () => hasHadItsShare({ round: thisRound(), began: performance.now() - milliseconds }));
    assert.deepEqual(
      [worked('greedy', 60_000), worked('modest', 60_000), worked('greedy', 60_000)],
      [false, false, true],
    );
    const before = thisRound();
    await nextTurn();
    await nextTurn();
    assert.equal(
      workingFor('greedy', () => hasHadItsShare({ round: before, began: 0 })),
      false,
      'another round',
    );
  } finally {
    share.quota = usual;
  }
});

test('work is done for the one that it was begun for, across every wait', async () => {
  await workingFor('one', async () => {
    await nextTurn();
    await workingFor('two', async () => {
      await nextTurn();
      assert.equal(currentWorker(), 'two');
    });
    assert.equal(currentWorker(), 'one');
  });
  assert.equal(currentWorker(), '');
});
