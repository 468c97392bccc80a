import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TYPES } from 'tedious';
import { allKinds } from '../../../src/kinds.ts';
import { isStored } from '../../../src/procedure/relations/relation.ts';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

forEachEngine((engine) => {
  let server: TestServer;
  let client: TestClient;
  before(async () => {
    server = await startServer({ engine });
    client = await server.connect('TranslationServices');
  });
  after(() => server[Symbol.asyncDispose]());

  test('every table of every database can be read, is listed, and cannot be changed unless it says so', async () => {
    for (const { firstDatabase, relations } of allKinds) {
      const there = await server.connect(firstDatabase);
      assert.ok(relations.length > 0, firstDatabase);
      const listed = (await there.batch("exec sp_tables @table_type = '''TABLE'''")).sets[0]?.map(
        (row) => row['TABLE_NAME'],
      );
      const tables = relations.filter(({ type }) => type === 'table');
      assert.deepEqual(listed?.toSorted(), tables.map(({ name }) => name).toSorted());
      for (const relation of relations) {
        const { name, columns } = relation;
        const answer = await there.batch(`select * from dbo.${name}`);
        assert.deepEqual(answer.columns, [Object.keys(columns)]);
        if (isStored(relation) && relation.changes?.allow.includes('DELETE')) await there.batch(`delete from ${name}`);
        else await assert.rejects(there.batch(`delete from ${name}`), { number: 229 });
      }
    }
  });

  test('rows are joined, filtered, grouped and ordered', async () => {
    const add = (job: number, partition: string | null) =>
      client.rpc('proc_AddJob', [
        { name: 'JobId', type: TYPES.BigInt, value: job },
        { name: 'UserToken', type: TYPES.VarBinary, value: Buffer.from([1]) },
        { name: 'PartitionId', type: TYPES.UniqueIdentifier, value: partition },
        { name: 'Settings', type: TYPES.NVarChar, value: '<settings/>' },
        { name: 'Name', type: TYPES.NVarChar, value: `Job ${job}` },
      ]);
    const group = (job: number, items: number) => {
      const listed = Array.from(
        { length: items },
        (_, at) => `<item id="${at + 1}" in="${at}.docx" out="${at}.th.docx" />`,
      );
      return client.batch(`exec proc_AddGroup ${job}, 1, 'http://in', 'http://out', 2,
        '<group xmlns="http://schemas.microsoft.com/office/server/translation/2010/11/databaseJobAdd">${listed.join('')}</group>'`);
    };
    for (const job of [1, 2, 3]) await add(job, job === 3 ? null : '93572c0a-d9e1-1395-dab3-932eac7ba30c');
    await group(1, 2);
    await group(2, 3);
    const { sets } = await client.batch(`
      select top 2 j.Name, count(i.ItemId) as Items, min(i.InputFile) as First
      from Jobs j join Groups g on g.JobId = j.JobId left join Items i on i.JobId = g.JobId and i.GroupId = g.GroupId
      where j.PartitionId = '93572C0A-D9E1-1395-DAB3-932EAC7BA30C' and i.StopTime is null
      group by j.JobId, j.Name having count(i.ItemId) > 1 order by Items desc
      select count(*) as n from Jobs where PartitionId is null`);
    assert.deepEqual(sets, [
      [
        { Name: 'Job 2', Items: 3, First: '0.docx' },
        { Name: 'Job 1', Items: 2, First: '0.docx' },
      ],
      [{ n: 1 }],
    ]);
  });

  test('a transaction reads what it has written itself', async () => {
    await client.batch(`begin transaction exec proc_AddJob 9, null, 0x01, null, '<settings/>'`);
    assert.equal((await client.batch('select 1 as x from Jobs where JobId = 9')).rowCount, 1);
    await client.batch('rollback transaction');
    assert.equal((await client.batch('select 1 as x from Jobs where JobId = 9')).rowCount, 0);
  });
});
