import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { packetize, packetTypes } from '../../src/tds/packet/index.ts';
import { smpFlags } from '../../src/tds/smp/index.ts';
import { nvarchar } from '../../src/tds/types/index.ts';
import { tdsVersions } from '../../src/tds/version.ts';
import type { TestServer } from '../support/server.ts';
import { arrival, open } from './support/gate.ts';
import { answers, nobodyIsLeft, servesOn, startLab } from './support/lab-server.ts';
import { MarsClient, type MarsSession } from './support/mars-client.ts';
import { RawClient, rpcPayload } from './support/raw-client.ts';
import { call } from './support/streaming.ts';
import { ending, errors, only, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

const one = async (session: MarsSession, expression = '1') => rows(await session.batch(`select ${expression}`))[0]?.[0];
const echo = (text: string) => [{ procedure: 'lab_Echo', params: [{ type: nvarchar('max'), value: text }] }];

describe('[MC-SMP]: many sessions over one connection', () => {
  let server: TestServer;
  before(async () => {
    server = await startLab();
  });
  after(() => server[Symbol.asyncDispose]());

  test('MS-TDS 2.2.6.5: MARS is answered as it was asked for, and not at all before TDS 7.2', async () => {
    await using without = await RawClient.connect(server.port);
    assert.equal((await without.prelogin()).mars, false);
    await without.logIn();
    await answers(without);
    await using old = await RawClient.connect(server.port);
    assert.equal((await old.prelogin({ mars: true })).mars, true);
    await old.logIn({ tdsVersion: tdsVersions['7.1'] });
    await answers(old);
  });

  test('the login comes before SMP, every request of a session in its own DATA packets', async () => {
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(7)];
    assert.equal(await one(first), 1);
    assert.equal(await one(second, '2'), 2);
    assert.equal(await one(first, '3'), 3);
    assert.deepEqual(
      client.seen.map(({ flag, sid, sequence }) => [flag, sid, sequence]),
      [
        [smpFlags.data, 0, 1],
        [smpFlags.data, 7, 1],
        [smpFlags.data, 0, 2],
      ],
    );
  });

  test('[MC-SMP] 3.1.4.3: no DATA packet is sent beyond the window, and an ACK lets the next ones go', async () => {
    await using client = await MarsClient.login(server.port);
    const session = client.open(0);
    session.acknowledges = false;
    await session.sendRpc(call('lab_Generate', 2000));
    await until('four packets have come', () => session.received === 4);
    await delay(100);
    assert.equal(session.received, 4);
    session.acknowledge(1);
    await until('a fifth has come', () => session.received === 5);
    await delay(50);
    assert.equal(session.received, 5);
    session.acknowledges = true;
    session.acknowledge();
    assert.equal(rows(await session.tokens()).length, 2000);
  });

  test('[MC-SMP] 2.2.2: the window of a SYN is the one that holds first', async () => {
    await using client = await MarsClient.login(server.port);
    const session = client.open(0, 1);
    session.acknowledges = false;
    await session.sendRpc(call('lab_Generate', 2000));
    await until('a packet has come', () => session.received === 1);
    await delay(100);
    assert.equal(session.received, 1);
  });

  test('[MC-SMP] 3.1.5.2: a long message is taken by and by, its sender told of the room that it has', async () => {
    await using client = await MarsClient.login(server.port);
    const session = client.open(0);
    const text = 'grain '.repeat(100_000);
    await session.sendRpc(echo(text));
    assert.equal(rows(await session.tokens())[0]?.[0], text);
    assert.ok(client.seen.filter(({ flag }) => flag === smpFlags.ack).length > 100);
  });

  test('[MC-SMP] 3.1.5.1: a FIN is answered by one, and the number of the session is free again', async () => {
    await using client = await MarsClient.login(server.port);
    for (let times = 0; times < 3; times++) {
      const session = client.open(5);
      assert.equal(await one(session), 1);
      session.finish();
      await until('FIN has come', () => session.isFinished);
    }
    assert.equal(client.seen.filter(({ flag }) => flag === smpFlags.fin).length, 3);
  });

  test('what was on its way when a session ended may be acknowledged, packet by packet and no further', async () => {
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    first.acknowledges = false;
    await first.sendRpc(call('lab_Generate', 2000));
    await until('four packets have come', () => first.received === 4);
    first.finish();
    for (let window = 5; window <= 8; window++) client.control(smpFlags.ack, 0, first.sent, window);
    assert.equal(await one(second), 1);
    client.control(smpFlags.ack, 0, first.sent, 9);
    await until('the connection is closed', () => client.isClosed);
  });

  test('a session that ends while its request runs ends the request, and nothing else', async () => {
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    await first.sendBatch("waitfor delay '00:10:00'");
    await second.sendBatch('select 2');
    await delay(50);
    first.finish();
    assert.deepEqual(rows(await second.tokens()), [[2]]);
    assert.ok(first.isFinished);
  });

  test('a request that was sent before its session ended, and not begun, is not run', async () => {
    await using client = await MarsClient.login(server.port);
    const [first, second, third] = [client.open(0), client.open(1), client.open(2)];
    await third.batch('create table #seen (n int)');
    await first.sendBatch("waitfor delay '00:10:00'");
    await second.sendBatch('insert #seen values (1)');
    second.finish();
    await until('FIN has come', () => second.isFinished);
    await first.attention();
    await first.tokens();
    await first.tokens();
    assert.deepEqual(rows(await third.batch('select count(*) from #seen')), [[0]]);
  });

  /** A request with which nothing is wrong. */
  const sound = packetize(rpcPayload(echo('x')), { type: packetTypes.rpc, packetSize: 4096 });
  /** What is wrong, and how it is done: the connection ends, and nothing is said. */
  const violations: [string, (client: MarsClient, session: MarsSession) => void][] = [
    ['3.2.4.1: a SYN for a session that is open', (client) => client.control(smpFlags.syn, 0, 0, 4)],
    ['3.2.4.1: a SYN with a sequence number', (client) => client.control(smpFlags.syn, 1, 1, 4)],
    ['3.1.5.1: DATA of a session that is not open', (client) => client.session(9).data(Buffer.alloc(8))],
    ['3.1.5.1: an ACK of a session that is not open', (client) => client.control(smpFlags.ack, 9, 0, 8)],
    ['3.1.5.1: a FIN of a session that is not open', (client) => client.control(smpFlags.fin, 9, 0, 4)],
    ['3.1.5.1.2: an ACK with another sequence number', (client) => client.control(smpFlags.ack, 0, 3, 8)],
    ['3.1.5.1.3: DATA out of order', (_client, session) => session.data(sound, session.sent + 2)],
    ['3.1.5.1.3: DATA a second time', (_client, session) => session.data(sound, session.sent)],
    ['2.2.1.1: two flags', (client) => client.raw.write(Buffer.from('53060000100000000000000004000000', 'hex'))],
    ['2.2.1: a packet that is not one of SMP', (client) => client.raw.send(packetTypes.sqlBatch, Buffer.alloc(30))],
    [
      '2.2.1: a packet that is too long',
      (client) => client.raw.write(Buffer.from('5308000000000100010000000400', 'hex')),
    ],
  ];
  for (const [what, violate] of violations) {
    test(`[MC-SMP] ${what} ends the connection`, async () => {
      await using client = await MarsClient.login(server.port);
      const session = client.open(0);
      assert.equal(await one(session), 1);
      violate(client, session);
      if (what.includes('too long')) client.raw.write(Buffer.alloc(2));
      await until('the connection is closed', () => client.isClosed);
      await servesOn(server);
    });
  }

  test('[MC-SMP] 2.2.1: a packet that never becomes whole ends the connection after the set time', async () => {
    await using own = await startLab({ settings: { messageTimeout: 200 } });
    await using client = await MarsClient.login(own.port);
    client.raw.write(Buffer.from('5308', 'hex'));
    await until('the connection is closed', () => client.isClosed);
    await servesOn(own);
  });

  test('[MC-SMP] 3.1.5.1.3: DATA beyond the window ends the connection', async () => {
    await using client = await MarsClient.login(server.port);
    const session = client.open(0);
    await session.sendBatch("waitfor delay '00:10:00'");
    for (let count = 0; count < 12; count++) session.data(sound);
    await until('the connection is closed', () => client.isClosed);
  });

  test('bytes in a session that are no packet of TDS are error 4002 in that session, and the connection ends', async () => {
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    await second.sendBatch("waitfor delay '00:10:00'");
    first.data(Buffer.from('2a01000c00000100', 'hex'));
    assert.deepEqual(errors(await first.tokens()), [4002]);
    await until('the connection is closed', () => client.isClosed);
    await nobodyIsLeft(server);
  });

  test('an error of severity 20 in one session ends them all', async () => {
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    await second.sendBatch("waitfor delay '00:00:01'");
    await first.sendBatch("raiserror('over', 20, 1) with log");
    assert.deepEqual(errors(await first.tokens()), [2745, 50000]);
    await until('the connection is closed', () => client.isClosed);
    await nobodyIsLeft(server);
  });

  test('MS-TDS 2.2.1.7: an attention stops the request of its own session only', async () => {
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    first.acknowledges = false;
    await first.sendRpc(call('lab_Generate', 100_000));
    await until('rows have come', () => first.received === 4);
    await second.sendBatch("waitfor delay '00:10:00'");
    await second.attention();
    await second.tokens();
    assert.equal(only(await second.tokens(), 'done')[0]?.status, 0x20);
    first.acknowledges = true;
    first.acknowledge();
    assert.equal(rows(await first.tokens()).length, 100_000);
  });

  test('a request that waits for its turn can be cancelled', async () => {
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    await first.sendBatch("waitfor delay '00:10:00'");
    await second.sendBatch('select 1');
    await second.attention();
    assert.deepEqual(rows(await second.tokens()), []);
    assert.equal(only(await second.tokens(), 'done')[0]?.status, 0x20);
  });

  test('a server that stops lets the requests that have come be answered', async () => {
    await using own = await startLab();
    await using client = await MarsClient.login(own.port);
    const [first, second] = [client.open(0), client.open(1)];
    assert.equal(await one(second), 1);
    const gate = randomUUID();
    await first.sendRpc([{ procedure: 'lab_Wait', params: [{ type: nvarchar(50), value: gate }] }]);
    await second.sendBatch('select 2');
    await arrival(gate);
    await servesOn(own); // turns in which the second has come too
    const stopped = own.granary.stop();
    open(gate);
    assert.equal(ending(await first.tokens()), 'doneProc 0');
    assert.deepEqual(rows(await second.tokens()), [[2]]);
    await stopped;
  });

  test('after all of this nobody is left connected', async () => {
    await nobodyIsLeft(server);
  });
});
