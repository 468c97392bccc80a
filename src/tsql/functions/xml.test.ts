import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBatches } from '../../../test/support/run-batches.ts';
import { openSession } from '../../../test/support/session.ts';

const declared = (rest: string) =>
  `declare @x xml = N'<r id="7"><n>1.50</n><n/><t>2024-05-06T07:08:09</t></r>' ${rest}`;

test('value() of the xml type gives what its path finds as the type that it is asked for', async () => {
  const host = await openSession();
  const { sets, errors } = await runBatches(host, [
    declared(`select @x.value('(/r/@id)[1]', 'int'), @x.value('(/r/n)[1]', 'decimal(5,2)'), @x.value('(/r/n)[2]', 'varchar(5)'),
      @x.value('(/r/t)[1]', 'char(4)'), @x.value('(/r/q)[1]', 'int'), @x.exist('/r/n'), @x.exist('/r/q')`),
    "select r.doc.value('(/a/@b)[1]', 'int') from (select cast('<a b=\"3\"/>' as xml) as doc union all select null) r",
    "select (cast('<a>5</a>' as xml)).value('(/a)[1]', 'int'), convert(xml, '<a>6</a>').value('(/a)[1]', 'bigint')",
    "select stuff((select ',' + v from (values ('a<b'), ('c')) t(v) for xml path(''), type).value('.', 'nvarchar(max)'), 1, 1, '')",
  ]);
  assert.deepEqual(errors, []);
  assert.deepEqual(sets, [
    [[7, { unscaled: 150n, scale: 2 }, '', '2024', null, true, false]],
    [[3], [null]],
    [[5, 6n]],
    [['a<b,c']],
  ]);
});

test('what value() cannot do is an error with SQL Server’s number', async () => {
  const host = await openSession();
  const numbers: Readonly<Record<string, number>> = {
    "select @x.value('/r', 'int')": 2389,
    "select @x.value('(/r/t)[1]', 'int')": 245,
    "select @x.value('(/r)[1]', 'xml')": 9500,
    "select @x.value('(/r)[1]', 'no such type')": 9500,
    "declare @p nvarchar(9) = N'(/r)[1]' select @x.value(@p, 'int')": 8172,
    "select @x.value('(/r)[1]')": 174,
    "declare @n nvarchar(9) select @n.value('(/r)[1]', 'int')": 258,
    "select @x.VALUE('(/r)[1]', 'int')": 102,
  };
  for (const [text, number] of Object.entries(numbers)) {
    assert.deepEqual((await runBatches(host, [declared(text)])).errors, [number], text);
  }
});
