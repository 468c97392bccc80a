import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Token } from '../../src/tds/token/index.ts';
import { int, nvarchar } from '../../src/tds/types/index.ts';
import type { TestServer } from '../support/server.ts';
import { startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { errors, only, rows } from './support/tokens.ts';

const statuses = (tokens: readonly Token[]): number[] => only(tokens, 'returnStatus').map(({ status }) => status);

describe('how the end of a call is told', () => {
  let server: TestServer;
  let client: RawClient;
  before(async () => {
    server = await startLab();
    client = await RawClient.login(server.port);
  });
  after(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test('MS-TDS 2.2.7.19: RETURNVALUE has the name as the request spells it, none where it came by position', async () => {
    const counted = async (name: string) => {
      const tokens = await client.rpc('lab_Count', [{ name, type: int, value: null, byRef: true }]);
      return only(tokens, 'returnValue').map((value) => value.name);
    };
    assert.deepEqual(await counted('@tOTAL'), ['@tOTAL']);
    assert.deepEqual(await counted('@Total'), ['@Total']);
    assert.deepEqual(await counted(''), ['']);
  });

  test('MS-TDS 2.2.2.5: after an error the return status is 10 minus its severity', async () => {
    const missing = await client.rpc('lab_Put');
    assert.deepEqual([errors(missing), statuses(missing)], [[201], [-6]]);
    const put = () =>
      client.rpc('lab_Put', [
        { type: int, value: 1 },
        { type: nvarchar(10), value: 'one' },
      ]);
    assert.deepEqual(statuses(await put()), [0]);
    const twice = await put();
    assert.deepEqual([errors(twice), statuses(twice)], [[2627], [-4]]);
    assert.equal(only(twice, 'doneProc').at(-1)?.status, 2);
  });

  test('EXEC tells the status after an error too, and hands it to its variable where no CATCH takes over', async () => {
    const told = await client.batch("declare @rc int = 7; exec @rc = lab_Put 1, 'one'; select @rc");
    assert.deepEqual([errors(told), statuses(told), rows(told)], [[2627], [-4], [[-4]]]);
    const caught = await client.batch(
      "declare @rc int = 7; begin try exec @rc = lab_Put 1, 'one' end try begin catch select @rc end catch",
    );
    assert.deepEqual([errors(caught), rows(caught)], [[], [[7]]]);
    const unknown = await client.batch('declare @rc int = 7; exec @rc = lab_Nothing; select @rc');
    assert.deepEqual([errors(unknown), statuses(unknown), rows(unknown)], [[2812], [], [[7]]]);
  });

  test('a procedure of T-SQL returns 10 minus the severity of its last error, unless RETURN says something', async () => {
    const returned = async (body: string) =>
      rows(
        await client.batch(
          `exec('create procedure #p as ${body}') declare @rc int exec @rc = #p select @rc drop procedure #p`,
        ),
      );
    assert.deepEqual(await returned('select 1/0 as x where 1 = 0 print 1/0'), [[-6]]);
    assert.deepEqual(await returned("raiserror(''grain'', 12, 1)"), [[-2]]);
    assert.deepEqual(await returned("raiserror(''grain'', 12, 1) return"), [[-2]]);
    assert.deepEqual(await returned("raiserror(''grain'', 12, 1) return 5"), [[5]]);
    assert.deepEqual(await returned("begin try raiserror(''grain'', 13, 1) end try begin catch end catch"), [[-3]]);
    assert.deepEqual(await returned('print 1'), [[0]]);
  });

  test('MS-TDS 2.2.7.8: DONEPROC announces no error where CATCH has taken it over before the client heard of it', async () => {
    const ends = async (text: string) => {
      const tokens = await client.batch(
        `exec('create procedure #p as ${text}') begin try exec #p end try begin catch end catch drop procedure #p`,
      );
      return [errors(tokens), only(tokens, 'doneProc').map(({ status }) => status & 2)];
    };
    assert.deepEqual(await ends("raiserror(''grain'', 16, 1)"), [[], [0]]);
    assert.deepEqual(await ends('print 1'), [[], [0]]);
  });

  test('under SET NOCOUNT ON statements of a procedure that return no rows send no DONEINPROC, unless they fail', async () => {
    const run = async (text: string) => {
      const tokens = await client.rpc('sp_executesql', [{ type: nvarchar(4000), value: text }]);
      return only(tokens, 'doneInProc').length;
    };
    const changes = 'declare @t table (n int) insert @t values (1) insert @t values (2)';
    assert.equal(await run(changes), 2);
    assert.equal(await run(`set nocount on ${changes}`), 0);
    assert.equal(await run(`set nocount on ${changes} select n from @t`), 1);
    assert.equal(await run(`set nocount on ${changes} insert @t select 1/0`), 1);
  });

  test('a procedure of a protocol says no counts, as under SET NOCOUNT ON; @@ROWCOUNT knows them', async () => {
    const counted = 0x10;
    const tokens = await client.rpc('lab_Generate', [{ type: int, value: 3 }]);
    assert.equal(rows(tokens).length, 3);
    const ends = [...only(tokens, 'doneInProc'), ...only(tokens, 'doneProc')];
    assert.deepEqual(
      ends.map(({ status }) => status & counted),
      [0, 0],
    );
    assert.deepEqual(rows(await client.batch('exec lab_Generate 3 select @@rowcount')).at(-1), [3]);
    const own = await client.rpc('sp_databases');
    assert.ok(
      only(own, 'doneInProc').every(({ status }) => (status & counted) === counted),
      "SQL Server's own count",
    );
  });
});
