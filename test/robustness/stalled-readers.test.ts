import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { forEngineOfRun, isLongRun } from '../support/long-run.ts';
import { answers, servesOn, startLab } from './support/lab-server.ts';
import { loginAs, makeLogin } from './support/logins.ts';
import { RawClient } from './support/raw-client.ts';
import { call, megabyte } from './support/streaming.ts';
import { errors, only } from './support/tokens.ts';
import { until } from './support/until.ts';

/** Asks for much and reads no more of it than its beginning, which some have to wait for. */
async function stall(client: RawClient, ask: (client: RawClient) => void): Promise<void> {
  const begun = once(client.socket, 'data');
  ask(client);
  await Promise.race([begun, delay(50)]);
  client.socket.pause();
}

/** As `stall`, for one whose answer begins: the server is in the midst of it. */
async function stallInside(client: RawClient, ask: (client: RawClient) => void): Promise<void> {
  const begun = once(client.socket, 'data');
  ask(client);
  await begun;
  client.socket.pause();
}

/** Reads a little now and then until something is so. */
async function readSlowly(client: RawClient, isOver: () => boolean): Promise<void> {
  await until('it is over', async () => {
    const some = once(client.socket, 'data');
    client.socket.resume();
    await Promise.race([some, delay(500)]);
    client.socket.pause();
    await delay(100);
    return isOver();
  });
}

const manyRows = (client: RawClient) => client.sendRpc(call('lab_Select', 1_000_000));
const catalog = (client: RawClient) =>
  client.sendBatch('select a.name, b.text from sys.columns a cross join sys.messages b cross join sys.messages c');

/** Who does not read is not cut off: whoever had to wait for that would wait longer than a test does. */
const patient = { sendTimeout: 600_000 };

/** Fails unless work is done in a time that only those exceed who wait for a stalled reader. */
async function soon(what: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  assert.ok(took < 60_000, `${what} took ${Math.round(took)} ms`);
}

const count = async (client: RawClient) => {
  const tokens = await client.rpc('lab_Count', [{ type: int, value: null, byRef: true }]);
  assert.deepEqual(errors(tokens), []);
};

/** Reads so many rows that it needs a snapshot of its own. */
const someRows = async (client: RawClient) => {
  client.sendRpc(call('lab_Select', 2000));
  assert.equal(only(await client.tokens(), 'row').length, 2000);
};

forEachEngine((engine) => {
  test('clients that stall in the catalog keep nobody from logging in', async () => {
    await using server = await startLab({ engine, settings: patient });
    await makeLogin(server.port, 'low');
    await using stalled = new AsyncDisposableStack();
    for (let number = 0; number < 16; number++) {
      await stall(stalled.use(await loginAs(server.port, 'low', 'master')), catalog);
    }
    for (let times = 0; times < 5; times++) await soon('a login', () => servesOn(server));
  });

  test('clients that stall in a database keep no other login from reading there', async () => {
    await using server = await startLab({ engine, settings: patient });
    await makeLogin(server.port, 'low', 'db_datareader');
    await makeLogin(server.port, 'lower', 'db_datareader');
    await using innocent = await RawClient.login(server.port);
    await using stalled = new AsyncDisposableStack();
    const stallAs = async (login: string) => {
      for (let number = 0; number < 8; number++) {
        await stall(stalled.use(await loginAs(server.port, login)), manyRows);
      }
    };
    await stallAs('low');
    for (let times = 0; times < 5; times++) await soon('a call beside one login', () => count(innocent));
    await stallAs('lower');
    for (let times = 0; times < 5; times++) await soon('a call beside two logins', () => count(innocent));
    // That one who waits for a place gets one, src/session/transactions/reader-gates.test.ts checks in a moment.
    if (isLongRun) await soon('a read beside two logins', () => someRows(innocent));
    await servesOn(server);
  });

  test('a client that reads ever so slowly does not keep its snapshot for longer than the set time: error 3966', async () => {
    await using server = await startLab({ engine, settings: { transactionTimeout: 1000 } });
    await using slow = await RawClient.login(server.port);
    await stallInside(slow, manyRows);
    const warned = performance.now() + 1500;
    await readSlowly(slow, () => performance.now() > warned);
    slow.socket.resume();
    const tokens = await slow.tokens();
    assert.deepEqual(errors(tokens), [3966]);
    assert.ok(only(tokens, 'row').length < 1_000_000);
    await answers(slow);
  });
});

forEngineOfRun((engine) => {
  test('a client that does not read for the set time is cut off, one that reads slowly is not', async () => {
    await using server = await startLab({ engine, settings: { sendTimeout: 4000 } });
    await using stalled = await RawClient.login(server.port);
    await using slow = await RawClient.login(server.port);
    await stallInside(stalled, manyRows);
    await stallInside(slow, (client) => client.sendRpc(call('lab_Select', 100_000)));
    await readSlowly(slow, () => server.granary.connections === 1);
    slow.socket.resume();
    assert.equal(only(await slow.tokens(), 'row').length, 100_000);
    await answers(slow);
  });
});

test('past the set size of the log the oldest snapshot of SQLite ends in error 3966, and the log starts over', async () => {
  await using server = await startLab({ settings: { maxLogSize: 8 * megabyte } });
  await using stalled = await RawClient.login(server.port);
  await using writer = await RawClient.login(server.port);
  await stallInside(stalled, manyRows);
  const { data } = server.granary.settings;
  const longest = { bytes: 0 };
  const note = 'x'.repeat(100_000);
  for (let id = 0; id < 400; id++) {
    const tokens = await writer.rpc('lab_Put', [
      { type: bigint, value: BigInt(id) },
      { type: nvarchar('max'), value: note },
    ]);
    assert.deepEqual(errors(tokens), []);
    const logs = readdirSync(data).filter((file) => file.endsWith('-wal'));
    longest.bytes = Math.max(longest.bytes, ...logs.map((file) => statSync(join(data, file)).size));
  }
  // Past four times its limit a writer waits for the log.
  assert.ok(longest.bytes < 40 * megabyte, `the log had ${Math.round(longest.bytes / megabyte)} MB`);
  stalled.socket.resume();
  assert.deepEqual(errors(await stalled.tokens()), [3966]);
  await answers(stalled);
});
