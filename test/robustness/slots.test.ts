import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { int, nvarchar, varchar } from '../../src/tds/types/index.ts';
import { type EngineName, forEachEngine } from '../support/engines.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { answers, startLab } from './support/lab-server.ts';
import { loginAs, lowPassword, makeLogin } from './support/logins.ts';
import { RawClient } from './support/raw-client.ts';
import { errors, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

/** Sockets that say nothing; one that is closed is opened again at once, until disposed of. */
function silentSockets(port: number, count: number): AsyncDisposable {
  const sockets = new Set<Socket>();
  let stopped = false;
  const open = () => {
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.add(socket);
    socket.on('error', () => {}); // a reset is what it is here for
    socket.on('close', () => {
      sockets.delete(socket);
      if (!stopped) setTimeout(open, 20);
    });
  };
  for (let opened = 0; opened < count; opened++) open();
  return {
    async [Symbol.asyncDispose]() {
      stopped = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Blocks of 500 locks: more than anybody may hold, or, where each is a statement of PostgreSQL, some. */
const toTheLimit = 50;
const blocksOn = (engine: EngineName) =>
  engine === 'sqlite' || process.env['GRANARY_TEST_LONG'] !== undefined ? toTheLimit : 1;

forEachEngine((engine) => {
  test('application locks of one login cost others nothing, and past their number are error 1204', async () => {
    await using server = await startLab({ engine });
    await makeLogin(server.port, 'low', 'db_datareader');
    await using low = await loginAs(server.port, 'low');
    await using other = await RawClient.login(server.port);
    // The quickest of several, so that a machine that is busy for a moment does not count.
    const commit = async () => {
      let quickest = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 5; round++) {
        const began = performance.now();
        for (let times = 0; times < 20; times++) await other.batch('begin transaction commit');
        quickest = Math.min(quickest, performance.now() - began);
      }
      return quickest;
    };
    await commit();
    const before = await commit();
    const blocks = blocksOn(engine);
    const locks = Array.from({ length: 500 }, (_, number) => number);
    let refused: number[] = [];
    for (let block = 0; refused.length === 0 && block < blocks; block++) {
      low.sendRpc(
        locks.map((number) => ({
          procedure: 'sp_getapplock',
          params: [
            { type: nvarchar(255), value: `lock ${block} ${number}` },
            { type: varchar(32), value: 'Exclusive' },
            { type: varchar(32), value: 'Session' },
            { type: int, value: 0 },
          ],
        })),
      );
      refused = errors(await low.tokens());
    }
    if (blocks === toTheLimit) assert.equal(refused[0], 1204);
    else assert.deepEqual(refused, []);
    const after = await commit();
    assert.ok(after < 10 * before + 200, `20 commits took ${after.toFixed(0)} ms, before ${before.toFixed(0)} ms`);
    await answers(low);
  });
});

forEngineOfRun((engine) => {
  test('sockets that say nothing keep nobody out, neither of their address nor of others', async () => {
    for (const limits of [
      { maxConnections: 300, maxConnectionsPerAddress: 150 },
      { maxConnections: 150, maxConnectionsPerAddress: 300 },
    ]) {
      await using server = await startLab({ engine, settings: { ...limits, loginTimeout: 600_000 } });
      await makeLogin(server.port, 'low', 'db_datareader');
      await using inside = await loginAs(server.port, 'low');
      await using _silent = silentSockets(server.port, 200);
      await until('the silent ones are there', () => server.granary.connections > 100);
      for (let times = 0; times < 10; times++) {
        const began = performance.now();
        // Not an administrator, who would get in in any case.
        await using client = await loginAs(server.port, 'low');
        await answers(client);
        const took = performance.now() - began;
        assert.ok(took < 60_000, `a login took ${Math.round(took)} ms`);
      }
      await answers(inside);
    }
  });

  test('an administrator on the machine itself gets in though the server is full; others are told 17809', async () => {
    for (const settings of [{ maxConnections: 5 }, { maxConnectionsPerAddress: 5 }]) {
      await using server = await startLab({ engine, settings });
      await makeLogin(server.port, 'low', 'db_datareader');
      await using crowd = new AsyncDisposableStack();
      for (let count = 0; count < 5; count++) crowd.use(await loginAs(server.port, 'low'));
      await using more = await RawClient.connect(server.port);
      await more.prelogin();
      assert.deepEqual(errors(await more.logIn({ userName: 'low', password: lowPassword })), [17809]);
      await using sa = await RawClient.login(server.port);
      assert.deepEqual(rows(await sa.batch("select count(*) from sys.dm_exec_sessions where login_name = 'low'")), [
        [5],
      ]);
    }
  });
});
