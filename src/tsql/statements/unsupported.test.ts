import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

/** The error of a statement in tempdb. */
async function refused(text: string, database = 'tempdb') {
  const host = await openSession();
  await host.use(database);
  const { errors } = await batch(host, text);
  return errors.map(({ number, message }) => [number, message]);
}

describe('statements of SQL Server that there are not here', () => {
  for (const [text, what] of [
    ['create trigger dbo.tr on dbo.t after insert as select 1', 'CREATE TRIGGER'],
    ['create or alter function f() returns int as begin return 1 end', 'CREATE FUNCTION'],
    ['alter function f() returns int as begin return 1 end', 'ALTER FUNCTION'],
    ['create sequence s as int start with 1', 'CREATE SEQUENCE'],
    ['create synonym s for dbo.t', 'CREATE SYNONYM'],
    ['create type t from int', 'CREATE TYPE'],
    ['create user u for login l', 'CREATE USER'],
    ['create fulltext catalog c', 'CREATE FULLTEXT CATALOG'],
    ["create xml schema collection c as N''", 'CREATE XML SCHEMA'],
    ['create partition function f(int) as range left for values (1)', 'CREATE PARTITION FUNCTION'],
    ['alter database tempdb modify name = x', 'ALTER DATABASE'],
    ['alter database master set recovery simple', 'ALTER DATABASE'],
  ] as const) {
    test(`40514: ${text}`, async () => {
      assert.deepEqual(await refused(text), [[40514, `'${what}' is not supported in this version of SQL Server.`]]);
    });
  }

  test('5058: ALTER DATABASE sets no option of tempdb', async () => {
    const told = [[5058, "Option 'READ_COMMITTED_SNAPSHOT' cannot be set in database 'tempdb'."]];
    assert.deepEqual(await refused('alter database current set read_committed_snapshot on'), told);
    assert.deepEqual(await refused('alter database [TempDB] set read_committed_snapshot on', 'master'), told);
  });

  test('an unknown word remains a mistake of syntax: 102', async () => {
    assert.deepEqual(await refused('create nonsense x'), [[102, "Incorrect syntax near 'nonsense'."]]);
  });

  test('what cannot be made is not there to be dropped: 3701, unless IF EXISTS allows that', async () => {
    assert.equal((await refused('drop sequence s'))[0]?.[0], 3701);
    assert.deepEqual(
      await refused('drop sequence if exists s drop synonym if exists dbo.s drop trigger if exists t'),
      [],
    );
  });
});
