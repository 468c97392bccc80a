import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import type { SessionHost } from '../../session/session-host.ts';

const on = (table: string, column?: string): string =>
  `N'schema', N'dbo', N'table', N'${table}'${column === undefined ? '' : `, N'column', N'${column}'`}`;

/** A session in tempdb with toys that are described. */
async function shop(): Promise<SessionHost> {
  const host = await openSession();
  await host.use('tempdb');
  const { errors } = await batch(
    host,
    `create table toys (id int primary key, price int) insert toys values (1, 5)
     exec sp_addextendedproperty N'MS_Description', N'All toys', ${on('toys')}
     exec sys.sp_addextendedproperty @name = 'MS_Description', @value = 'in USD', @level0type = 'SCHEMA', @level0name = dbo,
       @level1type = 'TABLE', @level1name = toys, @level2type = 'COLUMN', @level2name = price`,
  );
  assert.deepEqual(errors, []);
  return host;
}

const all = `select minor_id, name, cast(value as nvarchar(50)) from sys.extended_properties
  where class = 1 and major_id = object_id('toys') order by minor_id, name`;
const both = [
  [0, 'MS_Description', 'All toys'],
  [2, 'MS_Description', 'in USD'],
];

const changed: readonly [text: string, rows: readonly (readonly unknown[])[]][] = [
  ['select 1', both],
  [
    `exec sp_updateextendedproperty 'ms_description', 'in EUR', ${on('toys', 'price')}`,
    [both[0] ?? [], [2, 'ms_description', 'in EUR']],
  ],
  [`exec sp_dropextendedproperty 'MS_Description', ${on('toys')}`, both.slice(1)],
  [`exec sp_addextendedproperty 'other', 7, ${on('toys', 'id')}`, [both[0] ?? [], [1, 'other', '7'], both[1] ?? []]],
  [`begin tran exec sp_dropextendedproperty 'MS_Description', ${on('toys')} rollback`, both],
  ["exec sp_rename 'toys.price', 'cost', 'column'", both],
  ['alter table toys add weight int', both],
  ['alter table toys add constraint positive check (price > 0)', both],
  ['alter table toys alter column price bigint', both],
  ['alter table toys drop column price', both.slice(0, 1)],
];

const refused: readonly [text: string, number: number][] = [
  [`exec sp_addextendedproperty 'MS_Description', 'x', ${on('toys')}`, 15233],
  [`exec sp_updateextendedproperty 'nothing', 'x', ${on('toys')}`, 15217],
  [`exec sp_dropextendedproperty 'nothing', ${on('toys', 'price')}`, 15217],
  [`exec sp_addextendedproperty 'a', 'x', ${on('nothing')}`, 15135],
  [`exec sp_addextendedproperty 'a', 'x', ${on('toys', 'nothing')}`, 15135],
  ["exec sp_addextendedproperty 'a', 'x'", 15135],
  ["exec sp_addextendedproperty 'a', 'x', 'schema'", 15600],
  [`exec sp_addextendedproperty null, 'x', ${on('toys')}`, 15600],
  [`declare @v nvarchar(4000) = replicate(N'x', 3751) exec sp_addextendedproperty 'a', @v, ${on('toys')}`, 15097],
  [`declare @v nvarchar(max) = N'x' exec sp_addextendedproperty 'a', @v, ${on('toys')}`, 206],
];

describe('Extended properties of the tables of tempdb', () => {
  for (const [text, rows] of changed) {
    test(`${text}: leaves the properties that SQL Server would, and the rows`, async () => {
      const host = await shop();
      assert.deepEqual((await batch(host, text)).errors, []);
      assert.deepEqual((await batch(host, all)).sets[0]?.rows, rows);
      assert.deepEqual((await batch(host, 'select id from toys')).sets[0]?.rows, [[1]]);
    });
  }

  for (const [text, number] of refused) {
    test(`${text.slice(0, 90)}: error ${number}, and nothing changes`, async () => {
      const host = await shop();
      assert.deepEqual(
        (await batch(host, text)).errors.map((error) => error.number),
        [number],
      );
      assert.deepEqual((await batch(host, all)).sets[0]?.rows, both);
    });
  }

  test('fn_listextendedproperty lists those of a table, of its columns, or of all of a level', async () => {
    const host = await shop();
    const listed = async (args: string) =>
      (
        await batch(
          host,
          `select objtype, objname, name, cast(value as varchar(20)) from fn_listextendedproperty(${args})`,
        )
      ).sets[0]?.rows;
    const ofTable = ['TABLE', 'toys', 'MS_Description', 'All toys'];
    const ofColumn = ['COLUMN', 'price', 'MS_Description', 'in USD'];
    assert.deepEqual(await listed("null, 'schema', 'dbo', 'table', 'toys', null, null"), [ofTable]);
    assert.deepEqual(await listed("null, 'schema', 'dbo', 'table', default, default, default"), [ofTable]);
    assert.deepEqual(await listed("'ms_description', 'Schema', 'dbo', 'Table', 'TOYS', 'Column', default"), [ofColumn]);
    assert.deepEqual(await listed("null, 'schema', 'dbo', 'table', 'toys', 'column', 'id'"), []);
    assert.deepEqual(await listed("'other', 'schema', 'dbo', 'table', 'toys', null, null"), []);
  });

  test('a login that may not make tables in tempdb describes none: 15135', async () => {
    const host = await openSession({ isAdministrator: false });
    await host.use('tempdb');
    const { errors } = await batch(host, `exec sp_addextendedproperty 'a', 'x', ${on('toys')}`);
    assert.deepEqual(
      errors.map(({ number }) => number),
      [15135],
    );
  });
});
