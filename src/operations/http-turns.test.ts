import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { HttpTurns } from './http-turns.ts';

test('one request begins in a round of the event loop, connections in turn, however many requests each has sent', async () => {
  const turns = new HttpTurns();
  const [many, few] = [new Socket(), new Socket()];
  const begun: string[] = [];
  const perRound: number[] = [];
  let left = 6;
  const ask = (socket: Socket, name: string) =>
    turns.next(socket).then(() => {
      begun.push(name);
      left--;
    });
  const asked = [1, 2, 3, 4, 5].map((number) => ask(many, `many ${number}`));
  asked.push(ask(few, 'few'));
  assert.equal(begun.length, 0);
  for (let before = 0; left > 0; ) {
    await new Promise(setImmediate);
    perRound.push(begun.length - before);
    before = begun.length;
  }
  assert.deepEqual(begun, ['many 1', 'few', 'many 2', 'many 3', 'many 4', 'many 5']);
  assert.ok(Math.max(...perRound) === 1, perRound.join());
});

test('what was sent by who has gone keeps nobody waiting', async () => {
  const turns = new HttpTurns();
  const [gone, here] = [new Socket(), new Socket()];
  const all = Array.from({ length: 1000 }, () => turns.next(gone));
  gone.destroy();
  let rounds = 0;
  let isBegun = false;
  const begun = turns.next(here).then(() => {
    isBegun = true;
  });
  for (; !isBegun; rounds++) await new Promise(setImmediate);
  assert.ok(rounds < 10, `${rounds} rounds`);
  await Promise.all([begun, ...all]);
});
