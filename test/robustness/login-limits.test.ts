import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Accounts } from '../../src/accounts/accounts.ts';
import { ByteWriter } from '../../src/tds/byte-writer.ts';
import { packetTypes } from '../../src/tds/packet/index.ts';
import { bigint, nvarchar } from '../../src/tds/types/index.ts';
import { tdsVersions } from '../../src/tds/version.ts';
import { password } from '../support/server.ts';
import { answers, nobodyIsLeft, servesOn, startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { ending, errors } from './support/tokens.ts';
import { until } from './support/until.ts';

/** A login where the time for one may be over before it is done, because the machine stood still for a moment. */
async function loggedInSomeTime(port: number): Promise<RawClient> {
  let client: RawClient | undefined;
  await until('a login is in time', async () => {
    client = await RawClient.login(port).catch(() => undefined);
    return client !== undefined;
  });
  assert.ok(client);
  return client;
}

describe('Limits of a login', () => {
  test('a client that says nothing, or drips its PRELOGIN byte by byte, is closed after the login time', async () => {
    await using server = await startLab({ settings: { loginTimeout: 300 } });
    await using silent = await RawClient.connect(server.port);
    await using dripping = await RawClient.connect(server.port);
    await using slow = await RawClient.connect(server.port);
    // Where the machine stands still meanwhile, its time is over before it is answered.
    await slow.prelogin().catch(() => {});
    const bytes = new ByteWriter();
    bytes.bytes(Buffer.of(packetTypes.prelogin, 0, 0x0f, 0xff, 0, 0, 1, 0));
    const drips = setInterval(() => dripping.write(Buffer.of(0)), 20);
    dripping.write(bytes.take());
    try {
      assert.deepEqual(await silent.lastWords(), []);
      assert.deepEqual(await dripping.lastWords(), []);
      assert.deepEqual(await slow.lastWords(), []);
    } finally {
      clearInterval(drips);
    }
    await nobodyIsLeft(server);
    await servesOn(server);
  });

  test('a login that a database does not answer is told so with 40613 before the login time is over', async (context) => {
    await using server = await startLab({ settings: { loginTimeout: 2000 } });
    context.mock.method(Accounts.prototype, 'verify', () => new Promise(() => {}));
    await using client = await RawClient.connect(server.port);
    assert.deepEqual(errors(await client.logIn({})), [40613]);
  });

  test('the login time does not end a session that is logged in', async () => {
    await using server = await startLab({ settings: { loginTimeout: 800 } });
    await using client = await loggedInSomeTime(server.port);
    await using other = await RawClient.connect(server.port);
    await other.lastWords(); // a clock of the server: its login time is over
    await answers(client);
  });

  test('one client too many is told 17809 in its own dialect, and gets in when another has left', async () => {
    await using server = await startLab({ settings: { maxConnections: 2 } });
    await using first = await RawClient.login(server.port);
    await using second = await RawClient.login(server.port);
    for (const tdsVersion of [tdsVersions['7.1'], tdsVersions['7.4']]) {
      await using third = await RawClient.connect(server.port);
      const tokens = await third.logIn({ tdsVersion, password: 'not even looked at' });
      assert.deepEqual(errors(tokens), [17809]);
      assert.equal(ending(tokens), 'done 2');
    }
    await answers(first);
    await second[Symbol.asyncDispose]();
    await nobodyIsLeft(server, 1);
    await servesOn(server);
  });

  test('a flood beyond the limit is dropped, and those inside are served', async () => {
    await using server = await startLab({ settings: { maxConnections: 1, loginTimeout: 600_000 } });
    await using client = await RawClient.login(server.port);
    await using flood = new AsyncDisposableStack();
    const crowd: RawClient[] = [];
    for (let count = 0; count < 200; count++) crowd.push(flood.use(await RawClient.connect(server.port)));
    await until('half of them are dropped', () => crowd.filter(({ socket }) => socket.closed).length >= 100);
    assert.ok(server.granary.connections <= 100);
    await answers(client);
  });

  test('MS-TDS 2.2.6.4: the packet size is what the client asks for, within 512 and 32767; 0 is the setting', async () => {
    await using server = await startLab({ settings: { packetSize: 8000 } });
    for (const [asked, given] of [
      [0, 8000],
      [1, 512],
      [512, 512],
      [4096, 4096],
      [32_767, 32_767],
      [2_147_483_647, 32_767],
    ] as const) {
      await using client = await RawClient.login(server.port, { packetSize: asked });
      assert.equal(client.packetSize, given);
      await answers(client);
    }
  });

  test('a flood of logins under ever new names leaves the calls of others their pace', async () => {
    await using server = await startLab();
    await using calling = new AsyncDisposableStack();
    const callers: RawClient[] = [];
    for (let count = 0; count < 8; count++) callers.push(calling.use(await RawClient.login(server.port)));
    const strangers: RawClient[] = [];
    let refused = 0;
    const flood = Array.from({ length: 200 }, async (_, number) => {
      const stranger = await RawClient.connect(server.port);
      strangers.push(stranger);
      await stranger.prelogin();
      await stranger.logIn({ userName: `nobody ${number}`, password: 'guess' });
      refused += 1;
    });
    const ended = Promise.allSettled(flood);
    await Promise.race(flood);
    const put = (caller: RawClient, id: number) =>
      caller.rpc('lab_Put', [
        { type: bigint, value: BigInt(id) },
        { type: nvarchar('max'), value: null },
      ]);
    await Promise.all(
      callers.map(async (caller, index) => {
        for (let id = index; id < 200; id += callers.length) assert.deepEqual(errors(await put(caller, id)), []);
      }),
    );
    assert.ok(refused < 100, `${refused} logins were answered before 200 calls`);
    for (const stranger of strangers) stranger.socket.destroy();
    await ended;
  });

  test('many wrong passwords slow down the one who guesses, not the others', async () => {
    await using server = await startLab();
    await server.granary.accounts.create('target', password, { database: 'Lab', role: 'reader' });
    const guesses = Array.from({ length: 5 }, async () => {
      await using client = await RawClient.connect(server.port);
      return errors(await client.logIn({ userName: 'target', password: 'guess' }));
    });
    await servesOn(server);
    assert.deepEqual(await Promise.all(guesses), Array(5).fill([18456]));
  });
});
