import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TYPES } from 'tedious';
import { writeBulkLoad } from '../../src/tds/message/bulk-load.ts';
import { packetize, packetStatus, packetTypes } from '../../src/tds/packet/index.ts';
import { int, varchar } from '../../src/tds/types/index.ts';
import { modern } from '../../src/tds/version.ts';
import type { TestClient } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { answers, startLab } from './support/lab-server.ts';
import { RawClient, written } from './support/raw-client.ts';
import { errors, rows } from './support/tokens.ts';

type BulkRow = { readonly id: number; readonly name: string | null };

/** Sends rows with tedious' own bulk load, and returns how many the server says it took. */
function load(
  { connection }: TestClient,
  rows: Iterable<BulkRow>,
  options: Parameters<TestClient['connection']['newBulkLoad']>[1] & object = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const bulk = connection.newBulkLoad('#rows', options, (error, count) =>
      error ? reject(error) : resolve(count ?? 0),
    );
    bulk.addColumn('id', TYPES.Int, { nullable: false });
    bulk.addColumn('name', TYPES.NVarChar, { length: 50, nullable: true });
    connection.execBulkLoad(bulk, rows);
  });
}

/** Lets the server work for a while: another session's call goes through it. */
async function answersOf({ port }: TestServer): Promise<void> {
  await using client = await RawClient.login(port);
  await answers(client);
}

describe('MS-TDS 2.2.6.1: bulk load', () => {
  let server: TestServer;
  before(async () => {
    server = await startLab();
  });
  after(() => server[Symbol.asyncDispose]());

  test('text comes in the code page of the collation that INSERT BULK names, whatever COLMETADATA says', async () => {
    await using client = await RawClient.login(server.port);
    const column = 'x varchar(10) collate SQL_Latin1_General_CP850_CI_AS';
    await client.batch(`create table #page (${column})`);
    const load = async (declared: string) => {
      await client.batch(`insert bulk #page (${declared})`);
      const columns = [{ name: 'x', type: varchar(10), nullable: true }];
      // In code page 1252 an à is 0xe0, which is Ó in code page 850.
      client.send(
        packetTypes.bulkLoad,
        written((out) => writeBulkLoad(out, columns, [['à']], modern)),
      );
      assert.deepEqual(errors(await client.tokens()), []);
    };
    await load(column);
    await load('x varchar(10)');
    assert.deepEqual(rows(await client.batch('select convert(nvarchar(10), x) from #page')), [['Ó'], ['à']]);
  });

  for (const tdsVersion of ['7_1', '7_2', '7_4'] as const) {
    test(`text, ntext and image of tedious come with the name of their table, TDS ${tdsVersion}`, async () => {
      await using client = await server.connect('Lab', { tdsVersion });
      await client.batch('create table #long (a text null, b ntext null, c image null)');
      const { connection } = client;
      const count = await new Promise((resolve, reject) => {
        const bulk = connection.newBulkLoad('#long', (error, rows) => (error ? reject(error) : resolve(rows)));
        bulk.addColumn('a', TYPES.Text, { nullable: true });
        bulk.addColumn('b', TYPES.NText, { nullable: true });
        bulk.addColumn('c', TYPES.Image, { nullable: true });
        connection.execBulkLoad(bulk, [
          { a: 'plain', b: 'Zoë 🌾', c: Buffer.of(1, 2) },
          { a: null, b: null, c: null },
        ]);
      });
      assert.equal(count, 2);
      const { sets } = await client.batch('select a, b, c from #long');
      assert.deepEqual(sets, [
        [
          { a: 'plain', b: 'Zoë 🌾', c: Buffer.of(1, 2) },
          { a: null, b: null, c: null },
        ],
      ]);
    });
  }

  for (const tdsVersion of ['7_1', '7_2', '7_4'] as const) {
    test(`rows of tedious go into a temporary table with TDS ${tdsVersion}: all of them, or none`, async () => {
      await using client = await server.connect('Lab', { tdsVersion });
      await client.batch('create table #rows (id int primary key, name nvarchar(50) null)');
      assert.equal(
        await load(client, [
          { id: 1, name: 'Zoë €' },
          { id: 2, name: null },
        ]),
        2,
      );
      await assert.rejects(
        load(client, [
          { id: 3, name: 'new' },
          { id: 1, name: 'again' },
        ]),
        { number: 2627 },
      );
      const { sets } = await client.batch('select id, name from #rows order by id');
      assert.deepEqual(sets, [
        [
          { id: 1, name: 'Zoë €' },
          { id: 2, name: null },
        ],
      ]);
    });
  }

  const promised = {
    'the type of the key is taken at its word': ['nvarchar(50)', 4819],
    'another type is sorted anyway': ['nvarchar(60)', undefined],
  } as const;
  for (const [what, [declaration, error]] of Object.entries(promised)) {
    test(`an order that is promised for ${what}`, async () => {
      await using client = await server.connect('Lab');
      await client.batch(`create table #rows (id int, name ${declaration} not null primary key)`);
      const rows = ['b', 'c', 'a'].map((name, id) => ({ id, name }));
      const loaded = load(client, rows, { order: { name: 'ASC' } });
      if (error === undefined) assert.equal(await loaded, 3);
      else await assert.rejects(loaded, { number: error });
      assert.deepEqual((await client.batch('select count(*) as n from #rows')).sets, [[{ n: error ? 0 : 3 }]]);
    });
  }

  test('a column that the table does not have ends in a DONE that fails without an ERROR; a message names it', async () => {
    await using client = await server.connect('Lab');
    await client.batch('create table #rows (id int)');
    const messages: number[] = [];
    client.connection.on('infoMessage', ({ number }) => messages.push(number));
    await assert.rejects(load(client, [{ id: 1, name: 'x' }]), { code: 'UNKNOWN' });
    assert.deepEqual(messages, [207]);
    assert.deepEqual((await client.batch('select count(*) as n from #rows')).sets, [[{ n: 0 }]]);
  });

  test('a bulk load in a transaction is undone with it', async () => {
    await using client = await server.connect('Lab');
    await client.batch('create table #rows (id int primary key, name nvarchar(50) null)');
    await client.batch('begin transaction');
    await load(client, [{ id: 1, name: 'one' }]);
    await client.batch('rollback');
    assert.deepEqual((await client.batch('select count(*) as n from #rows')).sets, [[{ n: 0 }]]);
  });

  test('a long bulk load lets others through', async () => {
    await using client = await server.connect('Lab');
    await using other = await RawClient.login(server.port);
    await client.batch('create table #rows (id int, name nvarchar(50) null)');
    let done = false;
    const loaded = load(
      client,
      Array.from({ length: 50_000 }, (_, id) => ({ id, name: `row ${id}` })),
    );
    loaded.finally(() => {
      done = true;
    });
    let meanwhile = 0;
    while (!done) {
      await answers(other);
      meanwhile++;
    }
    assert.equal(await loaded, 50_000);
    assert.ok(meanwhile > 5, `only ${meanwhile} calls of another session were answered`);
  });

  test('a bulk load that nobody announced is 4002, and the session goes on', async () => {
    await using client = await RawClient.login(server.port);
    const payload = written((out) => writeBulkLoad(out, [{ name: 'id', type: int, nullable: false }], [[1]], modern));
    client.send(packetTypes.bulkLoad, payload);
    assert.deepEqual(errors(await client.tokens()), [4002]);
    client.send(packetTypes.bulkLoad, payload.subarray(0, 12));
    assert.deepEqual(errors(await client.tokens()), [4002]);
    await answers(client);
  });

  /** The packets of a bulk load of so many rows into #rows. */
  const packetsOf = (count: number, packetSize: number): Buffer[] => {
    const columns = [{ name: 'id', type: int, nullable: false }];
    const payload = written((out) =>
      writeBulkLoad(
        out,
        columns,
        Array.from({ length: count }, (_, id) => [id]),
        modern,
      ),
    );
    const bytes = packetize(payload, { type: packetTypes.bulkLoad, packetSize, status: 0 });
    return Array.from({ length: Math.ceil(bytes.length / packetSize) }, (_, at) =>
      bytes.subarray(at * packetSize, (at + 1) * packetSize),
    );
  };

  test('MS-TDS 2.2.1.7: a bulk load that the client takes back in its last packet leaves nothing', async () => {
    await using client = await RawClient.login(server.port);
    await client.batch('create table #rows (id int)');
    await client.batch('insert bulk #rows (id int)');
    const packets = packetsOf(50_000, client.packetSize);
    const last = Buffer.from(packets.pop() ?? '');
    last[1] = packetStatus.endOfMessage | packetStatus.ignore;
    client.write(Buffer.concat([...packets, last]));
    const answer = await client.tokens();
    assert.deepEqual(errors(answer), []);
    assert.equal(answer.at(-1)?.token, 'done');
    assert.deepEqual(rows(await client.batch('select count(*) from #rows')), [[0]]);
  });

  test('MS-TDS 2.2.1.7: an attention in the middle of a bulk load is acknowledged and leaves nothing', async () => {
    await using client = await RawClient.login(server.port);
    await client.batch('create table #rows (id int)');
    await client.batch('insert bulk #rows (id int)');
    const packets = packetsOf(50_000, client.packetSize);
    client.write(Buffer.concat(packets.slice(0, 5)));
    await answersOf(server);
    client.send(packetTypes.attention, Buffer.alloc(0));
    while (!(await client.tokens()).some((token) => token.token === 'done' && (token.status & 0x20) !== 0));
    assert.deepEqual(rows(await client.batch('select count(*) from #rows')), [[0]]);
  });

  test('a bulk load that fails in the middle is read to its end, answered, and the session goes on', async () => {
    await using client = await RawClient.login(server.port);
    await client.batch('create table #rows (id int check (id < 100))');
    await client.batch('insert bulk #rows (id int) with (CHECK_CONSTRAINTS)');
    client.write(Buffer.concat(packetsOf(50_000, client.packetSize)));
    assert.deepEqual(errors(await client.tokens()), [547]);
    assert.deepEqual(rows(await client.batch('select count(*) from #rows')), [[0]]);
  });

  test('a client that vanishes in the middle of a bulk load into tempdb leaves nothing there', async () => {
    await using other = await RawClient.login(server.port);
    await other.batch('create table tempdb.dbo.shared (id int)');
    const client = await RawClient.login(server.port);
    await client.batch('insert bulk tempdb.dbo.shared (id int)');
    client.write(Buffer.concat(packetsOf(50_000, client.packetSize).slice(0, 20)));
    await answersOf(server);
    client.socket.destroy();
    await answersOf(server);
    assert.deepEqual(rows(await other.batch('select count(*) from tempdb.dbo.shared')), [[0]]);
    await other.batch('drop table tempdb.dbo.shared');
  });
});
