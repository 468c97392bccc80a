import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../base/log/log.ts';
import type { RequestChannel } from '../../session/channel.ts';
import { encodeSmp, smpFlags } from '../../tds/smp/index.ts';
import { MessageMemory } from '../message-memory.ts';
import { Multiplexer } from './multiplexer.ts';

const megabyte = 1024 * 1024;

/** A multiplexer on a connection that goes nowhere, and the sessions that it has opened. */
function multiplexed(hasRoom = true) {
  const memory = new MessageMemory(64 * megabyte, 64 * megabyte);
  const sessions: RequestChannel[] = [];
  let isPaused = false;
  const wire = {
    address: '192.0.2.1',
    hasRoom,
    write() {},
    destroy() {},
    drained: () => new Promise<void>(() => {}),
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
    },
  };
  const limits = { maxMessage: megabyte, messageTimeout: 60_000, sendTimeout: 60_000 };
  const multiplexer = new Multiplexer(
    wire,
    { limits, memory, log: silentLog },
    { accept: (session) => sessions.push(session), stopped() {}, failed: assert.fail },
  );
  const held = () => memory.budgets[0]?.used ?? 0;
  return { multiplexer, sessions, held, isPaused: () => isPaused };
}

const many = 1000;
const opened = Array.from({ length: many }, (_, sid) => encodeSmp({ flag: smpFlags.syn, sid, sequence: 0, window: 4 }));

test('however many sessions a client opens at once, a few are opened in one turn', async () => {
  const { multiplexer, sessions } = multiplexed();
  multiplexer.push(Buffer.concat(opened));
  for (let before = 0; before < many; ) {
    assert.ok(sessions.length - before <= 50, `${sessions.length - before} sessions were opened in one turn`);
    before = sessions.length;
    await new Promise(setImmediate);
  }
  multiplexer.end();
});

test('a session counts as memory of messages, and so does what nobody has taken out of it or the client has not read', async () => {
  const { multiplexer, sessions, held } = multiplexed();
  multiplexer.push(Buffer.concat(opened.slice(0, 20)));
  assert.equal(sessions.length, 20);
  const before = held();
  assert.ok(before >= 20 * 4096, `${before} bytes`);
  // The window lets four packets go.
  for (let packets = 0; packets < 10; packets++) sessions[0]?.write(new Uint8Array(4096));
  assert.ok(held() - before >= 6 * 4096, `${held() - before} bytes`);
  multiplexer.end();
  await new Promise(setImmediate);
  assert.equal(held(), 0);
});

test('a client that does not read is not read on', () => {
  const { multiplexer, isPaused } = multiplexed(false);
  multiplexer.push(Buffer.concat(opened.slice(0, 2)));
  assert.ok(isPaused());
  multiplexer.end();
});

test('connections that vanish together end no more of their sessions in one turn than one does', async () => {
  const all = Array.from({ length: 8 }, () => multiplexed());
  for (const { multiplexer } of all) for (const syn of opened.slice(0, 200)) multiplexer.push(syn);
  const sessions = () => all.flatMap((each) => each.sessions);
  while (sessions().length < 1600) await new Promise(setImmediate);
  for (const { multiplexer } of all) multiplexer.end();
  for (let before = 0; before < 1600; ) {
    const now = sessions().filter(({ closed }) => closed.aborted).length;
    assert.ok(now - before <= 150, `${now - before} sessions were ended in one turn`);
    before = now;
    await new Promise(setImmediate);
  }
});

test('a connection that vanishes ends its sessions in turns', async () => {
  const { multiplexer, sessions } = multiplexed();
  for (const syn of opened) multiplexer.push(syn);
  while (sessions.length < many) await new Promise(setImmediate);
  const over = () => sessions.filter(({ closed }) => closed.aborted).length;
  multiplexer.end();
  let turns = 0;
  for (let before = 0; before < many; turns++) {
    const now = over();
    assert.ok(now - before <= 100, `${now - before} sessions were ended in one turn`);
    before = now;
    await new Promise(setImmediate);
  }
  assert.ok(turns >= 10);
});
