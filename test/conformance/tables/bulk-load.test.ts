import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { TYPES } from 'tedious';
import { ClientConnection } from '../../../src/client/connection.ts';
import { writeBulkLoad } from '../../../src/tds/message/bulk-load.ts';
import { packetize, packetTypes } from '../../../src/tds/packet/index.ts';
import {
  bit,
  datetime,
  float,
  int,
  nvarchar,
  uniqueidentifier,
  varbinary,
  varchar,
} from '../../../src/tds/types/index.ts';
import { modern } from '../../../src/tds/version.ts';
import { RawClient, written } from '../../robustness/support/raw-client.ts';
import { errors } from '../../robustness/support/tokens.ts';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { password, startServer, type TestServer } from '../../support/server.ts';
import { ledger } from './ledger.ts';

const code = { name: 'Code', type: nvarchar(10), nullable: true };
const amount = { name: 'Amount', type: int, nullable: true };

function* manyRows(count: number): Generator<readonly unknown[], void> {
  for (let at = 0; at < count; at++) yield [`m${at}`, at];
}

forEachEngine((engine) => {
  describe('MS-TDS 2.2.6.1: bulk loads into tables of a database', () => {
    let server: TestServer;
    let client: TestClient;
    let raw: ClientConnection;
    before(async () => {
      server = await startServer({ engine, kinds: [ledger] });
      client = await server.connect('Ledger');
      raw = await ClientConnection.open({
        host: '127.0.0.1',
        encryption: 'off',
        port: server.port,
        user: 'sa',
        password,
        database: 'Ledger',
      });
    });
    after(async () => {
      await raw[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });
    beforeEach(() => client.batch('truncate table Entries; delete Pairs'));

    const rows = async (query: string) => (await client.batch(query)).sets[0]?.map((row) => Object.values(row));
    const load = async (statement: string, ...[columns, values]: Parameters<ClientConnection['bulkLoad']>) => {
      await raw.batch(`insert bulk ${statement}`);
      await raw.bulkLoad(columns, values);
    };

    test("rows of tedious' own bulk load are typed, numbered and given their defaults", async () => {
      const { connection } = client;
      const count = await new Promise((resolve, reject) => {
        const options = { checkConstraints: true, lockTable: true };
        const bulk = connection.newBulkLoad('Ledger.dbo.Entries', options, (error, n) =>
          error ? reject(error) : resolve(n),
        );
        bulk.addColumn('Share', TYPES.Float, { nullable: true });
        bulk.addColumn('Code', TYPES.NVarChar, { length: 10, nullable: false });
        bulk.addColumn('Open', TYPES.Bit, { nullable: true });
        bulk.addColumn('At', TYPES.DateTime, { nullable: true });
        bulk.addColumn('Owner', TYPES.UniqueIdentifier, { nullable: true });
        bulk.addColumn('Body', TYPES.VarBinary, { length: 20, nullable: true });
        bulk.addColumn('Note', TYPES.NVarChar, { length: Number.POSITIVE_INFINITY, nullable: true });
        connection.execBulkLoad(bulk, [
          {
            Share: 0.25,
            Code: 'a',
            Open: true,
            At: new Date('2024-05-06T07:08:09.010Z'),
            Owner: '6F9619FF-8B86-D011-B42D-00C04FC964FF',
            Body: Buffer.of(1, 2),
            Note: 'x'.repeat(9000),
          },
          { Share: null, Code: 'Zoë 🌾', Open: null, At: null, Owner: null, Body: null, Note: null },
        ]);
      });
      assert.equal(count, 2);
      assert.deepEqual(
        await rows('select Id, Code, Amount, [Open], At, Owner, Body, Share, len(Note) as n from Entries'),
        [
          [
            '1',
            'a',
            7,
            true,
            new Date('2024-05-06T07:08:09.010Z'),
            '6F9619FF-8B86-D011-B42D-00C04FC964FF',
            Buffer.of(1, 2),
            0.25,
            '9000',
          ],
          ['2', 'Zoë 🌾', 7, null, null, null, null, null, null],
        ],
      );
    });

    test('values are converted to the types of the columns', async () => {
      const text = { name: 'Amount', type: varchar(10), nullable: true };
      await load(
        'Entries (Amount varchar(10), Code varchar(5))',
        [text, { name: 'Code', type: varchar(5), nullable: true }],
        [['12', 'a']],
      );
      assert.deepEqual(await rows('select Code, Amount from Entries'), [['a', 12]]);
      await assert.rejects(load('Entries (Amount varchar(10), Code varchar(5))', [text, code], [['x', 'b']]), {
        number: 245,
      });
      assert.deepEqual(await rows('select count(*) from Entries'), [[1]]);
    });

    test('NULL becomes the default, unless KEEP_NULLS says that it stays: 515', async () => {
      await load('Entries (Code nvarchar(10), Amount int)', [code, amount], [['a', null]]);
      assert.deepEqual(await rows('select Code, Amount from Entries'), [['a', 7]]);
      const kept =
        'Entries (Code nvarchar(10), Amount int) with (KEEP_NULLS, TABLOCK, CHECK_CONSTRAINTS, ROWS_PER_BATCH = 5, ORDER (Code ASC))';
      await assert.rejects(
        load(
          kept,
          [code, amount],
          [
            ['b', 1],
            ['c', null],
          ],
        ),
        {
          number: 515,
          message: /column 'Amount', table 'Ledger\.dbo\.Entries'/,
        },
      );
      assert.deepEqual(await rows('select count(*) from Entries'), [[1]]);
    });

    const failures = {
      'a NULL that the column does not take is 515': [[null, 1], 515],
      'text that is too long is 2628': [['12345678901', 1], 2628],
      'a key that is there already is 2627': [['KEY', 1], 2627],
    } as const;
    for (const [rule, [bad, number]] of Object.entries(failures)) {
      test(`${rule}, nothing is kept and the session goes on`, async () => {
        await client.batch("insert Entries (Code) values ('key')");
        function* many() {
          for (let at = 0; at < 20_000; at++) yield at === 15_000 ? bad : [`c${at}`, at];
        }
        const wide = { name: 'Code', type: nvarchar(20), nullable: true };
        await assert.rejects(load('Entries (Code nvarchar(20), Amount int)', [wide, amount], many()), { number });
        assert.deepEqual(await rows('select count(*) from Entries'), [[1]]);
        await load('Entries (Code nvarchar(10), Amount int)', [code, amount], [['next', 1]]);
        assert.deepEqual(await rows('select count(*) from Entries'), [[2]]);
      });
    }

    test('another number of columns than INSERT BULK said is 4816', async () => {
      await assert.rejects(load('Entries (Code nvarchar(10), Amount int)', [code], [['a']]), { number: 4816 });
      assert.deepEqual(await rows('select count(*) from Entries'), [[0]]);
    });

    test('a table that clients may not fill is 229', async () => {
      await assert.rejects(raw.batch('insert bulk Fixed (Id int)'), { number: 229 });
    });

    test("a load is part of the client's transaction", async () => {
      await raw.batch('begin tran');
      await load('Entries (Code nvarchar(10), Amount int)', [code, amount], [['a', 1]]);
      await assert.rejects(
        load(
          'Entries (Code nvarchar(10), Amount int)',
          [code, amount],
          [
            ['b', 1],
            ['a', 1],
          ],
        ),
        { number: 2627 },
      );
      await raw.batch('rollback');
      assert.deepEqual(await rows('select count(*) from Entries'), [[0]]);
    });

    test('every kind of column comes as it was sent', async () => {
      const columns = [
        code,
        { name: 'Open', type: bit, nullable: true },
        { name: 'At', type: datetime, nullable: true },
        { name: 'Owner', type: uniqueidentifier, nullable: true },
        { name: 'Body', type: varbinary(20), nullable: true },
        { name: 'Share', type: float, nullable: true },
        { name: 'Note', type: nvarchar('max'), nullable: true },
      ];
      const at = new Date('1999-12-31T23:59:59.997Z');
      const owner = '00112233-4455-6677-8899-aabbccddeeff';
      const sent = [
        ['x', false, at, owner, Buffer.alloc(20, 9), -1e10, 'ß'.repeat(300_000)],
        ['y', null, null, null, null, null, ''],
      ];
      const declared = columns.map(({ name, type }) => `[${name}] ${type.declaration}`).join(', ');
      await load(`Entries (${declared})`, columns, sent);
      assert.deepEqual(await rows('select Code, [Open], At, Owner, Body, Share, Note from Entries order by Id'), [
        ['x', false, at, owner.toUpperCase(), Buffer.alloc(20, 9), -1e10, 'ß'.repeat(300_000)],
        ['y', null, null, null, null, null, ''],
      ]);
    });

    test('others read and write meanwhile', async () => {
      await using slow = await ClientConnection.open({
        host: '127.0.0.1',
        encryption: 'off',
        port: server.port,
        user: 'sa',
        password,
        database: 'Ledger',
      });
      await slow.batch('insert bulk Entries (Code nvarchar(10), Amount int)');
      let done = false;
      function* many() {
        for (let at = 0; at < 60_000; at++) yield [`m${at}`, at];
      }
      const loaded = slow.bulkLoad([code, amount], many()).finally(() => {
        done = true;
      });
      let longest = 0;
      let reads = 0;
      while (!done) {
        const began = performance.now();
        await client.batch('select count(*) as n from Pairs');
        longest = Math.max(longest, performance.now() - began);
        reads++;
      }
      await loaded;
      assert.deepEqual(await rows('select count(*) from Entries'), [[60_000]]);
      assert.ok(reads > 5, `${reads} reads, the longest took ${longest} ms`);
    });

    test('an attention, or a client that vanishes, in the middle of a load leaves nothing; writers go on', async () => {
      const begin = async () => {
        const sending = await RawClient.login(server.port, { database: 'Ledger' });
        await sending.batch('insert bulk Entries (Code nvarchar(10), Amount int)');
        const payload = written((out) => writeBulkLoad(out, [code, amount], manyRows(100_000), modern));
        const packets = packetize(payload, { type: packetTypes.bulkLoad, packetSize: sending.packetSize, status: 0 });
        // Whole packets of the first half.
        sending.write(packets.subarray(0, Math.floor(packets.length / 2 / sending.packetSize) * sending.packetSize));
        await rows('select count(*) from Entries');
        return sending;
      };
      await using cancelled = await begin();
      cancelled.send(packetTypes.attention, Buffer.alloc(0));
      while (!(await cancelled.tokens()).some((token) => token.token === 'done' && (token.status & 0x20) !== 0));
      await client.batch("insert Pairs values ('after', 1, 1)");
      const vanished = await begin();
      vanished.socket.destroy();
      await client.batch("insert Pairs values ('after', 2, 2)");
      assert.deepEqual(await rows('select count(*) from Entries'), [[0]]);
    });

    test('a client that sends few rows slowly keeps no other writer waiting', async () => {
      await using slow = await RawClient.login(server.port, { database: 'Ledger' });
      await slow.batch('insert bulk Entries (Code nvarchar(10), Amount int)');
      const payload = written((out) => writeBulkLoad(out, [code, amount], manyRows(1000), modern));
      const packets = packetize(payload, { type: packetTypes.bulkLoad, packetSize: slow.packetSize, status: 0 });
      slow.write(packets.subarray(0, 3 * slow.packetSize));
      await client.batch("set lock_timeout 5000; insert Pairs values ('meanwhile', 1, 1); set lock_timeout -1");
      slow.write(packets.subarray(3 * slow.packetSize));
      assert.deepEqual(errors(await slow.tokens()), []);
      assert.deepEqual(await rows('select count(*) from Entries'), [[1000]]);
    });
  });
});

test('what a load holds before its transaction begins is memory of its session: 701', async () => {
  const least = 1024 * 1024;
  await using server = await startServer({ kinds: [ledger], settings: { maxSessionMemory: least } });
  await using client = await RawClient.login(server.port, { database: 'Ledger' });
  const load = async () => {
    await client.batch('insert bulk Entries (Code nvarchar(10), Amount int)');
    client.send(
      packetTypes.bulkLoad,
      written((out) => writeBulkLoad(out, [code, amount], manyRows(30_000), modern)),
    );
    return errors(await client.tokens());
  };
  const filled = "create table #t (v varchar(max)) insert #t values (replicate(cast('x' as varchar(max)), 400000))";
  assert.deepEqual(errors(await client.batch(filled)), []);
  assert.deepEqual(await load(), [701]);
  assert.deepEqual(errors(await client.batch('drop table #t')), []);
  assert.deepEqual(await load(), []);
});
