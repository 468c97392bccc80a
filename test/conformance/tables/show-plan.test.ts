import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { gallery } from './gallery.ts';

forEachEngine((engine) => {
  let server: TestServer;
  let client: TestClient;
  before(async () => {
    server = await startServer({ engine, kinds: [gallery] });
    client = await server.connect('Gallery');
    await client.batch('create table #t (n int)');
    await client.batch('set showplan_text on');
  });
  after(() => server[Symbol.asyncDispose]());

  const plan = async (query: string) => (await client.batch(query)).sets.flat().map((row) => String(row['StmtText']));

  test('SET SHOWPLAN_TEXT ON shows in the engine’s words what the engine does, with its values', async () => {
    const [only, ...more] = await plan(`declare @n int = 3
      select top 5 Id, Name from Pictures where N > @n and Name = 'Abc ' order by Id desc`);
    assert.deepEqual(more, []);
    assert.match(
      only ?? '',
      /^\|--Engine\(select .* from \(select .* from pictures\) as "s0" where .* > 3 and .* = 'abc'/,
    );
    assert.match(only ?? '', /order by .* desc limit 5\)$/);
  });

  test('what stays in the interpreter stands before it, the last step first', async () => {
    const lines = await plan("select distinct Note from Pictures where N = 1 and Note like '%x' order by Note");
    assert.deepEqual(lines.slice(0, -1), ['|--Distinct', '|--Sort(1)', '|--Filter(1)']);
    assert.match(lines.at(-1) ?? '', /^\|--Engine\(.* where "s0"."value N" = 1\)$/);
  });

  test('groups, joins, EXISTS and IN go to the engine where it does them alike', async () => {
    const [grouped] = await plan('select N, count(*), max(At) from Pictures group by N');
    assert.match(grouped ?? '', /count\(\*\).*max\(.*group by/);
    const [joined] = await plan('select p.Id, f.M from Pictures p left join Frames f on f.PictureId = p.Id');
    assert.match(joined ?? '', /left join .* on "s1"."value PictureId" = "s0"."value Id"\)$/);
    const [asked] = await plan(`select Id from Pictures p where exists (select 1 from Frames f where f.Code = p.Name)
      and p.N not in (select M from Frames)`);
    assert.match(asked ?? '', /exists \(select 1 from .*"key Code" = .*not \(.* in \(select/);
  });

  test('a join with a table in memory leaves only the rows of a relation to the engine', async () => {
    assert.deepEqual(
      (await plan('select 1 from #t t join Pictures p on p.N = t.n where p.Small = 7')).map((line) =>
        line.replace(/from \(.*/, '…'),
      ),
      [
        '|--Filter(1)',
        '|--Join',
        '     |--Table(t)',
        '     |--Engine(select "s1"."value N" as "c0", "s1"."value Small" as "c1" …',
      ],
    );
  });

  test('nothing is run meanwhile', async () => {
    await client.batch('insert #t select 1');
    await client.batch('set showplan_text off');
    assert.deepEqual((await client.batch('select count(*) as n from #t')).sets, [[{ n: 0 }]]);
    await client.batch('set showplan_text on');
  });

  test('a right join is a left one of the engine, and text is grouped by what its collation compares', async () => {
    const [joined] = await plan('select p.Id, f.M from Pictures p right join Frames f on f.PictureId = p.Id');
    assert.match(joined ?? '', /frames .*left join .*pictures/);
    const [grouped] = await plan('select Name, count(*) from Pictures group by Name');
    assert.match(grouped ?? '', /min\("s0"."value Name"\).*group by "s0"."key Name"/);
  });

  test('a full join by equal columns, and DISTINCT over text and GUIDs, are the engine’s', async () => {
    const [joined, ...more] = await plan('select p.Id, f.M from Pictures p full join Frames f on f.Code = p.Name');
    assert.match(joined ?? '', /full join .* on "s1"."key Code" = "s0"."key Name"\)$/);
    const [distinct, ...others] = await plan('select distinct Name, Owner from Pictures');
    assert.match(distinct ?? '', /min\("s0"."value Name"\).*group by "s0"."key Name", "s0"."value Owner"\)$/);
    assert.deepEqual([...more, ...others], []);
    const lines = await plan('select p.Id from Pictures p full join Frames f on f.M < p.N');
    assert.equal(lines[0], '|--Join', 'PostgreSQL makes no full join by another condition');
  });

  test('constants of a wider type than the column’s become the nearest that the column can hold', async () => {
    const where = async (condition: string) =>
      / where (.*)\)$/.exec((await plan(`select Id from Pictures where ${condition}`)).join())?.[1];
    const noon = Date.UTC(2024, 1, 29, 12);
    assert.equal(await where('N < 2.5'), '"s0"."value N" <= 2');
    assert.equal(await where('N >= -2.5'), '"s0"."value N" > -3');
    assert.equal(await where('N = 2.0'), '"s0"."value N" = 2');
    assert.equal(await where('N = 2.5'), '("s0"."value N" < 2 and "s0"."value N" > 2)');
    assert.equal(await where('N between 1.5 and 4e0'), '("s0"."value N" > 1 and "s0"."value N" <= 4)');
    assert.equal(await where("At > cast('2024-02-29T12:00:00.0001' as datetime2)"), `"s0"."value At" > ${noon}`);
    assert.equal(await where("At <= cast('2024-02-29T14:00 +02:00' as datetimeoffset)"), `"s0"."value At" <= ${noon}`);
    assert.equal(await where('Big < 1e0'), undefined, 'a float has not every bigint');
  });

  test('SET SHOWPLAN_ALL ON has the lines as a table; a plan in XML is refused, and nothing is run instead', async () => {
    const other = await server.connect('Gallery');
    await other.batch('set showplan_all on');
    const { sets } = await other.batch('select distinct Note from Pictures where N = 1 order by Note');
    const rows = (sets[0] ?? []).map((row) => [row['PhysicalOp'], row['NodeId'], row['Parent'], row['Type']]);
    assert.deepEqual(rows, [
      ['Distinct', 1, 0, 'PLAN_ROW'],
      ['Sort', 2, 0, 'PLAN_ROW'],
      ['Engine', 3, 0, 'PLAN_ROW'],
    ]);
    assert.equal(Object.keys(sets[0]?.[0] ?? {}).length, 18);
    await other.batch('set showplan_all off');
    await assert.rejects(other.batch('set showplan_xml on'), /SHOWPLAN_TEXT/);
    await other.batch('set showplan_xml off');
  });
});
