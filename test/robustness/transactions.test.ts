import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ISOLATION_LEVEL } from 'tedious';
import type { Beginning, TransactionAction } from '../../src/tds/message/transaction-request.ts';
import { packetStatus } from '../../src/tds/packet/index.ts';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { tdsVersions } from '../../src/tds/version.ts';
import { forEachEngine } from '../support/engines.ts';
import type { TestServer } from '../support/server.ts';
import { answers, startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { changes, ending, errors, only, rows } from './support/tokens.ts';

const anew: Beginning = { isolation: 'unchanged', name: '' };
const begin: TransactionAction = { kind: 'begin', ...anew };
const commit: TransactionAction = { kind: 'commit', name: '', thenBegin: undefined };
const rollback: TransactionAction = { kind: 'rollback', name: '', thenBegin: undefined };

let lastId = 0n;
const put = (id = ++lastId) => [
  { type: bigint, value: id },
  { type: nvarchar('max'), value: 'a note' },
];

async function notes(client: RawClient, status = 0): Promise<number> {
  const tokens = await client.rpc('lab_Count', [{ name: '@Total', type: int, value: null, byRef: true }], status);
  return Number(only(tokens, 'returnValue')[0]?.value);
}

const descriptor = (tokens: Awaited<ReturnType<RawClient['tokens']>>) =>
  only(tokens, 'envChange').flatMap(({ change }) => (change && 'transaction' in change ? [change.transaction] : []));

forEachEngine((engine) => {
  describe('MS-TDS 2.2.6.9: transaction manager requests', () => {
    let server: TestServer;
    before(async () => {
      server = await startLab({ engine });
    });
    after(() => server[Symbol.asyncDispose]());

    test('begin and commit tell the client by ENVCHANGE 8 and 9, with the same descriptor', async () => {
      await using client = await RawClient.login(server.port);
      const before = await notes(client);
      const begun = await client.transaction(begin);
      assert.deepEqual(changes(begun), ['begin']);
      assert.equal(ending(begun), 'done 4');
      assert.equal(ending(await client.rpc('lab_Put', put())), 'doneProc 4');
      const committed = await client.transaction(commit);
      assert.deepEqual(changes(committed), ['commit']);
      assert.deepEqual(descriptor(committed), descriptor(begun));
      assert.equal(ending(committed), 'done 0');
      assert.equal(await notes(client), before + 1);
    });

    test('rollback undoes the calls of the transaction, which the session itself has seen', async () => {
      await using client = await RawClient.login(server.port);
      await using other = await RawClient.login(server.port);
      const before = await notes(client);
      await client.transaction(begin);
      await client.rpc('lab_Put', put());
      await client.rpc('lab_Put', put());
      assert.equal(await notes(client), before + 2);
      assert.equal(await notes(other), before);
      const tokens = await client.transaction(rollback);
      assert.deepEqual(changes(tokens), ['rollback']);
      assert.equal(await notes(client), before);
    });

    test('a failed call in a transaction undoes itself, not the transaction', async () => {
      await using client = await RawClient.login(server.port);
      const before = await notes(client);
      const id = ++lastId;
      await client.transaction(begin);
      await client.rpc('lab_Put', put(id));
      const failed = await client.rpc('lab_Put', put(id));
      assert.deepEqual(errors(failed), [2627]);
      assert.equal(ending(failed), 'doneProc 6');
      await client.rpc('lab_Put', put());
      await client.transaction(commit);
      assert.equal(await notes(client), before + 2);
    });

    test('save and rollback to the savepoint undo a part, without an ENVCHANGE', async () => {
      await using client = await RawClient.login(server.port);
      const before = await notes(client);
      await client.transaction(begin);
      await client.rpc('lab_Put', put());
      assert.equal(ending(await client.transaction({ kind: 'save', name: 'here' })), 'done 4');
      await client.rpc('lab_Put', put());
      const back = await client.transaction({ kind: 'rollback', name: 'here', thenBegin: undefined });
      assert.deepEqual(changes(back), []);
      assert.equal(ending(back), 'done 4');
      await client.rpc('lab_Put', put());
      await client.transaction(commit);
      assert.equal(await notes(client), before + 2);
    });

    test('a savepoint before the first write is one too', async () => {
      await using client = await RawClient.login(server.port);
      const before = await notes(client);
      await client.transaction(begin);
      await client.transaction({ kind: 'save', name: 'start' });
      await client.rpc('lab_Put', put());
      await client.transaction({ kind: 'rollback', name: 'start', thenBegin: undefined });
      await client.transaction(commit);
      assert.equal(await notes(client), before);
    });

    test('a rollback to a savepoint takes back those after it, and keeps that one', async () => {
      await using client = await RawClient.login(server.port);
      const before = await notes(client);
      const back = (name: string) => client.transaction({ kind: 'rollback', name, thenBegin: undefined });
      // Kept by the session before the first write, and by the engine after it.
      for (const writes of [false, true]) {
        await client.transaction(begin);
        if (writes) await client.rpc('lab_Put', put());
        for (const name of ['first', 'second']) await client.transaction({ kind: 'save', name });
        await client.rpc('lab_Put', put());
        assert.deepEqual(errors(await back('first')), []);
        assert.deepEqual(errors(await back('second')), [6401]);
        assert.deepEqual(errors(await back('first')), []);
        // The one of that name that is left, not the later one that went with those taken back.
        for (const name of ['second', 'first']) await client.transaction({ kind: 'save', name });
        assert.deepEqual(errors(await back('second')), []);
        assert.deepEqual(errors(await back('first')), []);
        await client.transaction(commit);
      }
      assert.equal(await notes(client), before + 1);
    });

    for (const kind of ['commit', 'rollback'] as const) {
      test(`${kind} with fBeginXact ends one transaction and begins the next`, async () => {
        await using client = await RawClient.login(server.port);
        const before = await notes(client);
        const first = descriptor(await client.transaction(begin));
        await client.rpc('lab_Put', put());
        const tokens = await client.transaction({ kind, name: '', thenBegin: anew });
        assert.deepEqual(changes(tokens), [kind, 'begin']);
        assert.notDeepEqual(descriptor(tokens)[1], first[0]);
        assert.equal(ending(tokens), 'done 4');
        await client.rpc('lab_Put', put());
        await client.transaction(rollback);
        assert.equal(await notes(client), before + (kind === 'commit' ? 1 : 0));
      });
    }

    test('commit and rollback without a transaction are 3902 and 3903, save 628, an unknown name 6401', async () => {
      await using client = await RawClient.login(server.port);
      assert.deepEqual(errors(await client.transaction(commit)), [3902]);
      assert.deepEqual(errors(await client.transaction(rollback)), [3903]);
      assert.deepEqual(errors(await client.transaction({ kind: 'save', name: 'x' })), [628]);
      await client.transaction(begin);
      assert.deepEqual(errors(await client.transaction({ ...rollback, name: 'nowhere' })), [6401]);
      await client.transaction(rollback);
      await answers(client);
    });

    test('MS-TDS 2.2.6.9: distributed transactions are 8501, as without MSDTC, and the session goes on', async () => {
      await using client = await RawClient.login(server.port);
      const actions = [
        { kind: 'dtcAddress' },
        { kind: 'promote' },
        { kind: 'propagate', buffer: Buffer.alloc(8) },
      ] as const;
      for (const action of actions) {
        const [error] = only(await client.transaction(action), 'error');
        assert.deepEqual([error?.number, error?.severity], [8501, 16]);
        assert.match(error?.text ?? '', /^MSDTC on server '.+' is unavailable\.$/);
      }
      assert.deepEqual(
        errors(await client.batch('begin distributed transaction; if @@trancount > 0 rollback')),
        [8501],
      );
      await answers(client);
    });

    test('before TDS 7.2 no ENVCHANGE tells of transactions', async () => {
      await using client = await RawClient.login(server.port, { tdsVersion: tdsVersions['7.1'] });
      assert.deepEqual(changes(await client.transaction(begin)), []);
      assert.deepEqual(changes(await client.transaction(rollback)), []);
    });

    test('a lock that is not given back in time is 1222, and both sessions go on', async () => {
      await using holder = await RawClient.login(server.port);
      await using client = await RawClient.login(server.port);
      await holder.transaction(begin);
      const wanted = put();
      await holder.rpc('lab_Put', wanted);
      await client.batch('set lock_timeout 200');
      const tokens = await client.rpc('lab_Put', wanted);
      assert.deepEqual(errors(tokens), [1222]);
      assert.equal(ending(tokens), 'doneProc 2');
      await client.transaction(begin);
      const inside = await client.rpc('lab_Put', wanted);
      assert.deepEqual(errors(inside), [1222]);
      assert.equal(ending(inside), 'doneProc 6');
      assert.ok((await notes(client)) >= 0, 'readers never wait');
      await holder.transaction(commit);
      await client.batch('set lock_timeout -1');
      assert.deepEqual(errors(await client.rpc('lab_Put', put())), []);
      await client.transaction(commit);
    });

    test('a failed conversion undoes the transaction, an unknown table or a division by zero does not', async () => {
      await using client = await RawClient.login(server.port);
      const before = await notes(client);
      await client.transaction(begin);
      await client.rpc('lab_Put', put());
      assert.equal(ending(await client.batch('select 1/0')), 'done 6');
      assert.equal(ending(await client.batch('select * from nope')), 'done 6');
      assert.equal(await notes(client), before + 1);
      const undone = await client.batch("select 1 where 1 = 'x'");
      assert.deepEqual([errors(undone), changes(undone), ending(undone)], [[245], ['rollback'], 'done 2']);
      assert.equal(ending(await client.batch('select @@trancount')), 'done 10');
      assert.equal(await notes(client), before);
    });

    test("tedious' own transactions: commit, rollback and savepoints", async () => {
      await using client = await server.connect('Lab');
      await using counter = await RawClient.login(server.port);
      const before = await notes(counter);
      const { connection } = client;
      const step = (run: (done: (error?: Error | null) => void) => void) =>
        new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve())));
      const putRow = async () => client.batch(`exec lab_Put ${++lastId}, N'from T-SQL'`);
      await step((done) => connection.beginTransaction(done, 'first', ISOLATION_LEVEL['SERIALIZABLE']));
      await putRow();
      await step((done) => connection.saveTransaction(done, 'half'));
      await putRow();
      await step((done) => connection.rollbackTransaction(done, 'half'));
      await step((done) => connection.commitTransaction(done));
      assert.equal(await notes(counter), before + 1);
      await step((done) => connection.beginTransaction(done));
      await putRow();
      await step((done) => connection.rollbackTransaction(done));
      assert.equal(await notes(counter), before + 1);
    });
  });

  describe('MS-TDS 2.2.3.1.2: reset of a connection', () => {
    let server: TestServer;
    before(async () => {
      server = await startLab({ engine, settings: { lockTimeout: 20_000 } });
    });
    after(() => server[Symbol.asyncDispose]());

    test('RESETCONNECTION undoes the transaction and frees its locks, before the request runs', async () => {
      await using client = await RawClient.login(server.port);
      await using other = await RawClient.login(server.port);
      const before = await notes(client);
      await client.transaction(begin);
      await client.rpc('lab_Put', put());
      const tokens = await client.rpc('lab_Put', put(), packetStatus.resetConnection);
      assert.deepEqual(changes(tokens), ['reset', 'rollback']);
      assert.equal(ending(tokens), 'doneProc 0');
      assert.equal(await notes(other), before + 1);
      assert.deepEqual(errors(await other.rpc('lab_Put', put())), []);
    });

    test('RESETCONNECTIONSKIPTRAN keeps the transaction', async () => {
      await using client = await RawClient.login(server.port);
      const before = await notes(client);
      await client.transaction(begin);
      await client.rpc('lab_Put', put());
      const tokens = await client.rpc('lab_Put', put(), packetStatus.resetConnectionKeepTransaction);
      assert.deepEqual(changes(tokens), ['reset']);
      assert.equal(ending(tokens), 'doneProc 4');
      await client.transaction(rollback);
      assert.equal(await notes(client), before);
    });

    test('RESETCONNECTIONSKIPTRAN keeps what is needed to undo changes of tempdb, and its locks', async () => {
      await using client = await RawClient.login(server.port);
      await using other = await RawClient.login(server.port);
      await client.batch('create table tempdb..kept (n int)');
      await client.transaction(begin);
      await client.batch('insert tempdb..kept values (1)');
      await notes(client, packetStatus.resetConnectionKeepTransaction);
      assert.deepEqual(errors(await other.batch('set lock_timeout 0 select n from tempdb..kept')), [1222]);
      await client.transaction(rollback, packetStatus.resetConnectionKeepTransaction);
      assert.deepEqual(rows(await other.batch('select n from tempdb..kept')), []);
      await client.batch('drop table tempdb..kept');
    });

    test('before TDS 7.2 the reset is made without an ENVCHANGE', async () => {
      await using client = await RawClient.login(server.port, { tdsVersion: tdsVersions['7.1'] });
      await client.transaction(begin);
      const before = await notes(client);
      await client.rpc('lab_Put', put());
      assert.equal(await notes(client, packetStatus.resetConnection), before);
    });

    test("tedious' reset() gives back database, options and temporary tables", async () => {
      await using client = await server.connect('Lab');
      await client.batch('use master; set lock_timeout 77; set nocount on; create table #gone (id int)');
      await new Promise<void>((resolve, reject) => {
        client.connection.reset((error) => (error ? reject(error) : resolve()));
      });
      const { sets } = await client.batch('select db_name() as d, @@lock_timeout as t, @@options & 512 as nocount');
      assert.deepEqual(sets, [[{ d: 'Lab', t: 20_000, nocount: 0 }]]);
      await assert.rejects(client.batch('select * from #gone'), { number: 208 });
      const { sets: listed } = await client.batch(
        'select lock_timeout as t from sys.dm_exec_sessions where session_id = @@spid',
      );
      assert.deepEqual(listed, [[{ t: 20_000 }]]);
    });

    test('an application lock of the session is given back', async () => {
      const lock = [
        { name: '@Resource', type: nvarchar(255), value: 'door' },
        { name: '@LockMode', type: nvarchar(32), value: 'Exclusive' },
        { name: '@LockOwner', type: nvarchar(32), value: 'Session' },
        { name: '@LockTimeout', type: int, value: 0 },
      ];
      await using client = await RawClient.login(server.port);
      await using other = await RawClient.login(server.port);
      const status = async (from: RawClient, bits = 0) =>
        only(await from.rpc('sp_getapplock', lock, bits), 'returnStatus')[0]?.status;
      assert.equal(await status(client), 0);
      assert.equal(await status(other), -1);
      await notes(client, packetStatus.resetConnection);
      assert.equal(await status(other), 0);
    });
  });
});
