import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../base/log.ts';
import type { RequestChannel } from '../../session/channel.ts';
import { encodeSmp, smpFlags } from '../../tds/smp/index.ts';
import { MessageMemory } from '../message-memory.ts';
import { Multiplexer } from './multiplexer.ts';

const megabyte = 1024 * 1024;

/** A multiplexer on a connection that goes nowhere, and the sessions that it has opened. */
function multiplexed(): { readonly multiplexer: Multiplexer; readonly sessions: RequestChannel[] } {
  const memory = new MessageMemory(64 * megabyte, 64 * megabyte);
  const sessions: RequestChannel[] = [];
  const wire = {
    address: '192.0.2.1',
    hasRoom: true,
    write() {},
    destroy() {},
    drained: () => Promise.resolve(),
    pause() {},
    resume() {},
  };
  const limits = { maxMessage: megabyte, messageTimeout: 60_000, sendTimeout: 60_000 };
  const multiplexer = new Multiplexer(
    wire,
    { limits, memory, log: silentLog },
    { accept: (session) => sessions.push(session), stopped() {}, failed: assert.fail },
  );
  return { multiplexer, sessions };
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
