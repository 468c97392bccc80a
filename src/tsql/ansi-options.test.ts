import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch, Recorder } from '../../test/support/recorder.ts';
import { openSession } from '../../test/support/session.ts';
import type { SessionHost } from '../session/session-host.ts';
import { varchar } from '../tds/types/index.ts';
import { bulkInsert } from './bulk-insert.ts';

/** The rows of the last query of a batch that must not fail. */
async function rows(host: SessionHost, text: string): Promise<unknown[][] | undefined> {
  const { errors, sets } = await batch(host, text);
  assert.deepEqual(errors, []);
  return sets.at(-1)?.rows;
}

describe('SET ANSI_PADDING OFF', () => {
  const table =
    'create table #p (a char(6) null, b char(6) not null, c varchar(6) null, d binary(3) null, e varbinary(3) null, f nchar(3) null)';
  const insert = "insert #p values ('x  ', 'x  ', 'x  ', 0x0100, 0x0100, N'x ')";
  const select = "select '>' + a + '<', '>' + b + '<', '>' + c + '<', d, e, '>' + f + '<' from #p";
  const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
  const plain = (found: unknown[][] | undefined) =>
    found?.map((row) => row.map((value) => (value instanceof Uint8Array ? Uint8Array.from(value) : value)));

  test('columns made under it keep no blanks or zeros at the end, but char and binary NOT NULL and nchar do', async () => {
    const found = await rows(
      await openSession(),
      `set ansi_padding off ${table} set ansi_padding on ${insert} ${select}`,
    );
    assert.deepEqual(plain(found), [['>x<', '>x     <', '>x<', bytes('01'), bytes('01'), '>x  <']]);
  });

  test('columns made under ANSI_PADDING ON keep all, whatever is set later', async () => {
    const found = await rows(await openSession(), `${table} set ansi_padding off ${insert} ${select}`);
    assert.deepEqual(plain(found), [['>x     <', '>x     <', '>x  <', bytes('010000'), bytes('0100'), '>x  <']]);
  });

  test('of a value that is only padding one blank or zero is left, of an empty one nothing', async () => {
    const text = "create table #e (a char(6) null, c varchar(6), e varbinary(3)) insert #e values ('   ', '', 0x0000)";
    const found = await rows(
      await openSession(),
      `set ansi_padding off ${text} select datalength(a), datalength(c), e from #e`,
    );
    assert.deepEqual(plain(found), [[1, 0, bytes('00')]]);
  });

  test('ALTER TABLE decides for the column it changes alone, and SELECT INTO for those that allow NULL', async () => {
    const host = await openSession();
    const text =
      "set ansi_padding off create table #a (a char(4) null, b char(4) null) insert #a values ('x', 'x') set ansi_padding on alter table #a alter column b char(5) null";
    const lengths = 'select datalength(a), datalength(b) from';
    assert.deepEqual(await rows(host, `${text} ${lengths} #a`), [[1, 5]]);
    const into = "set ansi_padding off select convert(char(4), 'x') as a, b into #i from #a";
    assert.deepEqual(await rows(host, `${into} ${lengths} #i`), [[4, 1]]);
  });

  test('a default is kept without its blanks too', async () => {
    const text = "create table #d (a int null, c varchar(6) null default 'y  ') insert #d (a) values (1)";
    assert.deepEqual(await rows(await openSession(), `set ansi_padding off ${text} select datalength(c) from #d`), [
      [1],
    ]);
  });
});

describe('SET ANSI_NULLS OFF', () => {
  const from = 'from (values (1), (null)) as t(x) where';

  test('NULL as such, and a variable, is equal to NULL', async () => {
    const host = await openSession();
    assert.deepEqual(await rows(host, `set ansi_nulls off select count(*) ${from} x = null`), [[1]]);
    assert.deepEqual(await rows(host, `select count(*) ${from} x <> null`), [[1]]);
    assert.deepEqual(await rows(host, `declare @v int select count(*) ${from} x = @v`), [[1]]);
    assert.deepEqual(await rows(host, `declare @v int = 2 select count(*) ${from} x <> @v`), [[2]]);
  });

  test('two columns that are NULL are not equal, and nothing is under ANSI_NULLS ON', async () => {
    const host = await openSession();
    assert.deepEqual(await rows(host, `set ansi_nulls off select count(*) ${from} x = x`), [[1]]);
    assert.deepEqual(await rows(host, `set ansi_nulls on select count(*) ${from} x = null or x <> null`), [[0]]);
  });
});

describe('SET ANSI_WARNINGS OFF', () => {
  test('text that is too long for its column is cut, where it is refused otherwise', async () => {
    const host = await openSession();
    const text = "insert #w values ('abcdef') select x from #w";
    await batch(host, 'create table #w (x varchar(3))');
    assert.deepEqual(
      (await batch(host, text)).errors.map(({ number }) => number),
      [2628],
    );
    assert.deepEqual(await rows(host, `set ansi_warnings off ${text}`), [['abc']]);
  });

  test('a bulk load refuses it all the same', async () => {
    const host = await openSession();
    await batch(host, 'set ansi_warnings off create table #w (x varchar(3))');
    await batch(host, 'insert bulk #w (x varchar(9))');
    const columns = [{ name: 'x', type: varchar(9), nullable: true }];
    const load = bulkInsert(host, columns, [[['abcdef']]], new Recorder(), new AbortController().signal);
    await assert.rejects(load, { number: 2628 });
  });
});

describe('SET ANSI_NULL_DFLT_ON OFF', () => {
  test('a column that says nothing about NULL refuses it; one that was made before still takes it', async () => {
    const host = await openSession();
    await batch(host, 'create table #n (x int) set ansi_null_dflt_on off alter table #n add y int null');
    assert.deepEqual(await rows(host, 'insert #n values (null, null) select * from #n'), [[null, null]]);
    const { errors } = await batch(host, 'create table #m (x int) insert #m values (null)');
    assert.deepEqual(
      errors.map(({ number }) => number),
      [515],
    );
  });
});
