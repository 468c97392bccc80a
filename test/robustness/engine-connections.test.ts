import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { startLab } from './support/lab-server.ts';
import { loginAs, makeLogin } from './support/logins.ts';
import { RawClient } from './support/raw-client.ts';
import { call } from './support/streaming.ts';
import { errors } from './support/tokens.ts';
import { until } from './support/until.ts';

const most = 12;
/** Connections of the server itself, which never wait: its own database, a cancel, the locks of all nodes. */
const own = 8;
const databases = ['Lab', 'Lab2', 'Lab3', 'Lab4', 'Lab5'];

/** How many connections a PostgreSQL database has, again and again; `most` says how many there ever were. */
async function watched(url: string) {
  const client = new pg.Client({ connectionString: url, application_name: 'watcher' });
  await client.connect();
  const text = `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'granary'`;
  const seen = { now: 0, most: 0 };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      seen.now = (await client.query<{ n: number }>(text)).rows[0]?.n ?? 0;
      seen.most = Math.max(seen.most, seen.now);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  return {
    seen,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await watching;
      await client.end();
    },
  };
}

async function innocentCalls(client: RawClient, id: number): Promise<void> {
  const counted = await client.rpc('lab_Count', [{ type: int, value: null, byRef: true }]);
  assert.deepEqual(errors(counted), []);
  const put = [
    { type: bigint, value: BigInt(id) },
    { type: nvarchar('max'), value: 'x' },
  ];
  assert.deepEqual(errors(await client.rpc('lab_Put', put)), []);
}

test('on postgres a login that works in many databases takes no more connections than are set, and leaves others theirs', async () => {
  await using server = await startLab({
    engine: 'postgres',
    settings: { engineConnections: most, sendTimeout: 600_000 },
  });
  await using watching = await watched(server.granary.settings.engine);
  await makeLogin(server.port, 'low', 'db_datawriter');
  await using sa = await RawClient.login(server.port);
  for (const name of databases.slice(1)) {
    const made = await sa.batch(`exec sp_create_database N'${name}', N'lab'`);
    const given = await sa.batch(`use ${name}; exec sp_addrolemember 'db_datawriter', 'low'`);
    assert.deepEqual([...errors(made), ...errors(given)], []);
  }
  await sa.batch("exec sp_create_database N'Innocent', N'lab'");
  await using innocent = await RawClient.login(server.port, { database: 'Innocent' });
  await innocentCalls(innocent, 0);
  await using crowd = new AsyncDisposableStack();
  for (const [at, name] of databases.entries()) {
    for (let count = 0; count < 4; count++) {
      const [reader, writer] = [await loginAs(server.port, 'low', name), await loginAs(server.port, 'low', name)];
      crowd.use(reader);
      crowd.use(writer);
      // One asks for much and reads nothing of it, the other keeps a transaction open.
      reader.socket.pause();
      reader.sendRpc(call('lab_Select', 1_000_000));
      await writer.batch('begin transaction');
      const id = { type: bigint, value: BigInt(100 * at + count) };
      writer.sendRpc([{ procedure: 'lab_Put', params: [id, { type: nvarchar('max'), value: 'x' }] }]);
    }
  }
  for (let id = 1; id <= 20; id++) await innocentCalls(innocent, id);
  const { seen } = watching;
  await until('the crowd holds what it gets', () => seen.now >= most / 2);
  assert.ok(seen.most <= most + own, `there were ${seen.most} connections`);
  await using another = await RawClient.login(server.port, { database: 'Innocent' });
  await innocentCalls(another, 1000);
});

test('on postgres databases that are busy all the while share the connections that are set', async () => {
  await using server = await startLab({ engine: 'postgres', settings: { engineConnections: 8 } });
  await using watching = await watched(server.granary.settings.engine);
  await using sa = await RawClient.login(server.port);
  const names = Array.from({ length: 10 }, (_, number) => `Busy${number}`);
  for (const name of names) await sa.batch(`exec sp_create_database N'${name}', N'lab'`);
  await using clients = new AsyncDisposableStack();
  const calls = new Map(names.map((name) => [name, 0]));
  // Nobody stops before everybody has had some: who holds a connection must give it up in the midst of its calls.
  const isOver = () => calls.values().every((count) => count >= 6);
  const goOn = async (database: string) => {
    const client = clients.use(await RawClient.login(server.port, { database }));
    while (!isOver()) {
      const count = (calls.get(database) ?? 0) + 1;
      calls.set(database, count);
      await innocentCalls(client, count);
    }
  };
  await Promise.all(names.flatMap((name) => [goOn(name), goOn(name), goOn(name)]));
  assert.ok(watching.seen.most <= 8 + own, `there were ${watching.seen.most} connections`);
});
