import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { gallery, hang, type Picture } from './gallery.ts';

const picture = (n: number | null, name: string): Picture => ({
  n,
  big: BigInt(n ?? 0),
  small: n,
  flag: null,
  at: n === null ? null : new Date(Date.UTC(2024, n - 1, 2)),
  owner: null,
  name,
  note: name,
  ratio: null,
});
const pictures = [picture(1, 'One'), picture(2, 'two'), picture(null, 'None'), picture(3, 'ONE')];

forEachEngine((engine) => {
  let server: TestServer;
  let client: TestClient;
  before(async () => {
    server = await startServer({ engine, kinds: [gallery] });
    client = await server.connect('Gallery');
    await client.batch("exec sp_create_database N'Attic', N'gallery'");
    for (const [name, some] of [
      ['Gallery', pictures],
      ['Attic', [picture(7, 'Lofty')]],
    ] as const) {
      await (await server.granary.engine.open(name))?.write((db) => hang(db, some, []));
    }
  });
  after(() => server[Symbol.asyncDispose]());

  const rows = async (text: string, from: TestClient = client): Promise<unknown[]> =>
    ((await from.batch(text)).sets[0] ?? []).map((row) => Object.values(row).join());

  /** A statement with a parameter, whose tree is the same whatever its value is. */
  const asked = (value: string, type: string, where: string): Promise<unknown[]> =>
    rows(`exec sp_executesql N'select Name from Pictures where ${where} order by Id', N'@p ${type}', @p = ${value}`);

  test('a plan that has run serves other values, NULL among them', async () => {
    for (const [value, expected] of [
      ['1', ['One']],
      ['2', ['two']],
      ['null', []],
      ['3', ['ONE']],
    ] as const)
      assert.deepEqual(await asked(value, 'int', 'N = @p'), expected);
  });

  test('a variable of another type has a plan of its own: what does not convert fails as ever', async () => {
    for (let time = 0; time < 3; time++) {
      assert.deepEqual(await asked("'2'", 'varchar(5)', 'Small = @p'), ['two']);
      await assert.rejects(asked("'x'", 'varchar(5)', 'Small = @p'), { number: 245 });
      assert.deepEqual(await asked('3', 'tinyint', 'Small = @p'), ['ONE']);
    }
  });

  test('TOP @n and OFFSET are read anew', async () => {
    const top = (n: number) =>
      rows(
        `declare @n int = ${n}\nexec sp_executesql N'select top (@n) Id from Pictures order by At desc', N'@n int', @n`,
      );
    for (const n of [2, 1, 4, 0]) assert.equal((await top(n)).length, n);
    const page = (skip: number) =>
      rows(
        `exec sp_executesql N'select Id from Pictures order by At offset @s rows fetch next 1 rows only', N'@s int', ${skip}`,
      );
    assert.deepEqual([await page(0), await page(1), await page(3)], [['3'], ['1'], ['4']]);
  });

  test('SET DATEFORMAT and ANSI_NULLS decide at each run', async () => {
    const january = "select Name from Pictures where At = '02.01.2024'";
    const missing = 'select Name from Pictures where N = null';
    for (let time = 0; time < 3; time++) {
      assert.deepEqual(await rows('set dateformat dmy set ansi_nulls off').then(() => rows(january)), ['One']);
      assert.deepEqual(await rows(missing), ['None']);
      assert.deepEqual(await rows('set dateformat mdy set ansi_nulls on').then(() => rows(january)), []);
      assert.deepEqual(await rows(missing), []);
    }
  });

  test('another session, in another database of the kind, reads that one', async () => {
    const other = await server.connect('Attic');
    const text = 'select Name, N from Pictures where N > 0 order by Id';
    for (let time = 0; time < 3; time++) {
      assert.deepEqual(await rows(text), ['One,1', 'two,2', 'ONE,3']);
      assert.deepEqual(await rows(text, other), ['Lofty,7']);
    }
  });

  test('inside a client’s transaction the rows are those of the transaction', async () => {
    const text = 'select count(*) from Pictures where Id = 1';
    for (let time = 0; time < 3; time++) assert.deepEqual(await rows(text), ['1']);
    await client.batch('begin tran');
    assert.deepEqual(await rows(text), ['1']);
    await client.batch('rollback');
  });

  test('sessions that run one text at the same moment do not see each other’s values', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => server.connect('Gallery')));
    const ask = async (each: TestClient, id: number): Promise<unknown[]> => {
      const answers: unknown[] = [];
      const text = `exec sp_executesql N'select top 1 Id, Name from Pictures where Id = @id', N'@id int', ${id}`;
      for (let time = 0; time < 5; time++) answers.push(...(await rows(text, each)));
      return answers;
    };
    const ids = clients.map((_, at) => (at % 4) + 1);
    const answers = await Promise.all(clients.map((each, at) => ask(each, ids[at] ?? 0)));
    answers.forEach((answer, at) => {
      const id = ids[at] ?? 0;
      assert.deepEqual(answer, Array(5).fill(`${id},${pictures[id - 1]?.name}`));
    });
  });
});
