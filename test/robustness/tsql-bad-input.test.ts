import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Request, TYPES } from 'tedious';
import type { ClientError, TestClient } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

const kilobyte = 1024;

/** Batches that are wrong, with the number and message that SQL Server has for them. */
const wrong: readonly [what: string, text: string, number: number, message: RegExp][] = [
  ['an expression that is nested too deep', `select ${'('.repeat(5000)}1${')'.repeat(5000)}`, 191, /nested too deeply/],
  ['a query that is nested too deep', `select ${'(select '.repeat(900)}1${')'.repeat(900)}`, 191, /nested too deeply/],
  ['a chain of operators that is too long', `select 1${' + 1'.repeat(20_000)}`, 191, /nested too deeply/],
  [
    'blocks that are nested too deep',
    `${'begin '.repeat(3000)}select 1${' end'.repeat(3000)}`,
    191,
    /nested too deeply/,
  ],
  ['a table that is not there', 'select * from dbo.nowhere', 208, /^Invalid object name 'dbo\.nowhere'\.$/],
  ['a database that is not there', 'use nowhere', 911, /^Database 'nowhere' does not exist\./],
  ['a column that is not there', 'select nothing from sys.databases', 207, /^Invalid column name 'nothing'\.$/],
  ['a prefix that is not there', 'select x.name from sys.databases as d', 4104, /"x\.name" could not be bound/],
  ['a procedure that is not there', 'exec nothing', 2812, /^Could not find stored procedure 'nothing'\.$/],
  ['a function that is not there', 'select nothing(1)', 195, /^'nothing' is not a recognized/],
  ['a variable that is not there', 'select @nothing', 137, /^Must declare the scalar variable "@nothing"\.$/],
  ['a type that is not there', 'declare @x nothing', 2715, /Cannot find data type nothing\.$/],
  [
    'a cursor that is not there',
    'fetch next from nothing',
    16916,
    /^A cursor with the name 'nothing' does not exist\.$/,
  ],
  ['a cursor handle that is not there', 'exec sp_cursorfetch 4711, 2, 0, 1', 16909, /\(1267\) is not valid\.$/],
  ['a prepared handle that is not there', 'exec sp_execute 4711', 8179, /prepared statement with handle 4711\.$/],
  ['text without its end', "select 'abc", 105, /^Unclosed quotation mark after the character string 'abc'\.$/],
  ['words that make no sense', 'select 1 +* 2', 102, /^Incorrect syntax near/],
];

describe('bad T-SQL', () => {
  let server: TestServer;
  let client: TestClient;
  before(async () => {
    server = await startServer({ kinds: [], settings: { maxBatchSize: 256 * kilobyte } });
    client = await server.connect('master');
  });
  after(() => server[Symbol.asyncDispose]());

  /** The session that got an error answers the next question. */
  const goesOn = async () => assert.deepEqual((await client.batch('select 1 as one')).sets, [[{ one: 1 }]]);

  /** What a batch that fails sent before, between and after its error. */
  function rowsUntilError(text: string): Promise<{ rows: unknown[][]; error: ClientError }> {
    return new Promise((resolve, reject) => {
      const rows: unknown[][] = [];
      const request = new Request(text, (error) => {
        // tedious' RequestError has a number, which its types do not tell.
        if (error) resolve({ rows, error: error as ClientError });
        else reject(new Error('the batch did not fail'));
      });
      request.on('row', (cells: { value: unknown }[]) => rows.push(cells.map(({ value }) => value)));
      client.connection.execSqlBatch(request);
    });
  }

  for (const [what, text, number, message] of wrong) {
    test(`${what}: ${number}, and the session goes on`, async () => {
      await assert.rejects(client.batch(text), (error: Error & { number: number }) => {
        assert.equal(error.number, number);
        assert.match(error.message, message);
        return true;
      });
      await goesOn();
    });
  }

  test('a text of more words than memory should hold: 701, and the session goes on', async () => {
    const text = 'select replicate(cast(nchar(59) as nvarchar(max)), 2000001)';
    await assert.rejects(client.batch(`declare @text nvarchar(max) = (${text}) exec (@text)`), { number: 701 });
    await goesOn();
  });

  test('a batch that is too long is refused with its size, and the session goes on', async () => {
    const text = `select 1 -- ${'x'.repeat(200 * kilobyte)}`;
    await assert.rejects(client.batch(text), { number: 50000, message: /A batch can have at most 262144 bytes/ });
    await goesOn();
  });

  test('a conversion that fails in the middle of a result set: the rows before it, 245, and the session goes on', async () => {
    await client.batch(
      "create table #mixed (id int, value varchar(10)); insert #mixed values (1, '10'), (2, '20'), (3, 'x'), (4, '40')",
    );
    const { rows, error } = await rowsUntilError('select id, cast(value as int) as value from #mixed; select 5, 5');
    const { number, message } = error;
    assert.equal(number, 245);
    assert.equal(message, "Conversion failed when converting the varchar value 'x' to data type int.");
    assert.deepEqual(rows, [
      [1, 10],
      [2, 20],
    ]);
    await goesOn();
  });

  test('a division by zero in the middle of a result set ends only its statement', async () => {
    const { rows, error } = await rowsUntilError(
      'select 10 / (3 - id) as part from (values (1), (2), (3), (4)) as t(id); select 7 as part',
    );
    assert.equal(error.number, 8134);
    assert.deepEqual(rows, [[5], [10], [7]]);
    await goesOn();
  });

  for (const procedure of ['sp_execute', 'sp_unprepare', 'sp_cursorexecute', 'sp_cursorunprepare']) {
    test(`${procedure} by RPC with a handle that is not there: 8179, and the session goes on`, async () => {
      const handle = { name: 'handle', type: TYPES.Int, value: 815 };
      await assert.rejects(client.rpc(procedure, [handle]), {
        number: 8179,
        message: 'Could not find prepared statement with handle 815.',
      });
      await goesOn();
    });
  }

  test('a prepared statement after sp_unprepare, and after a reset: 8179', async () => {
    await client.batch("declare @h int exec sp_prepare @h output, N'', N'select 1' exec sp_unprepare @h");
    await assert.rejects(client.batch('exec sp_execute 1'), { number: 8179 });
    await client.batch("declare @h int exec sp_prepare @h output, N'', N'select 1'");
    await new Promise<void>((resolve, reject) => {
      client.connection.reset((error) => (error ? reject(error) : resolve()));
    });
    await assert.rejects(client.batch('exec sp_execute 2'), { number: 8179 });
    await goesOn();
  });

  test('a cursor after its transaction: 16917, the cursor can be opened again', async () => {
    await client.batch('begin tran declare c cursor for select 1 as one open c');
    assert.deepEqual((await client.batch('fetch c')).sets, [[{ one: 1 }]]);
    await client.batch('rollback');
    await assert.rejects(client.batch('fetch c'), { number: 16917, message: 'Cursor is not open.' });
    assert.deepEqual((await client.batch('open c fetch c close c deallocate c')).sets, [[{ one: 1 }]]);
    await client.batch('set cursor_close_on_commit on begin tran declare c cursor static for select 1 as one open c');
    await client.batch('commit set cursor_close_on_commit off');
    await assert.rejects(client.batch('fetch c'), { number: 16917 });
    await client.batch('deallocate c');
    await goesOn();
  });

  test('a cursor after DEALLOCATE, and one of a batch that is over: 16916', async () => {
    await client.batch('declare c cursor for select 1 open c deallocate c');
    await assert.rejects(client.batch('fetch c'), { number: 16916 });
    await client.batch('declare c cursor local for select 1 open c');
    await assert.rejects(client.batch('fetch c'), { number: 16916 });
    await goesOn();
  });

  test('a handle of a cursor by RPC that is not there: 16909 with the handle', async () => {
    const handle = { name: 'cursor', type: TYPES.Int, value: 0xabc };
    for (const procedure of ['sp_cursorfetch', 'sp_cursorclose', 'sp_cursoroption', 'sp_cursor']) {
      await assert.rejects(client.rpc(procedure, [handle]), {
        number: 16909,
        message: `${procedure}: The cursor identifier value provided (abc) is not valid.`,
      });
    }
    await goesOn();
  });
});
