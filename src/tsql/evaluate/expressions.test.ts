import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import { formatDecimal, isDecimal } from '../../tds/types/decimal.ts';

/** A value as a test writes it down. */
function shown(value: unknown): unknown {
  if (isDecimal(value)) return formatDecimal(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'object' && value !== null && 'type' in value && 'value' in value) return shown(value.value);
  return value;
}

const cases: readonly [expression: string, type: string, value: unknown][] = [
  ['1 + 1', 'int', 2],
  ['7 / 2', 'int', 3],
  ['-7 / 2', 'int', -3],
  ['-7 % 3', 'int', -1],
  ['7.0 / 2', 'decimal(7,6)', '3.500000'],
  ['1.0 / 3', 'decimal(7,6)', '0.333333'],
  ['1.10 + 2', 'decimal(4,2)', '3.10'],
  ['1.5 * 1.5', 'decimal(5,2)', '2.25'],
  ['2147483648', 'numeric(10,0)', '2147483648'],
  ['-2147483648', 'int', -2147483648],
  ['cast(5 as bigint) * 2', 'bigint', 10n],
  ['1e0 / 3', 'float', 1 / 3],
  ['$1.50 * 2', 'money', '3.0000'],
  ["'1' + 1", 'int', 2],
  ["'a' + 'b'", 'varchar(2)', 'ab'],
  ["N'a' + 'b'", 'nvarchar(2)', 'ab'],
  ["'a' + null", 'varchar(2)', null],
  ['0x01 + 0x02', 'varbinary(2)', '0x0102'],
  ['5 & 3 | 8', 'int', 9],
  ['~5', 'int', -6],
  ['1 + null', 'int', null],
  ["cast('2010-01-01' as datetime) + 1.5", 'datetime', '2010-01-02T12:00:00.000Z'],
  ['case when 1 = 1 then 1 else 2.5 end', 'decimal(11,1)', '1.0'],
  ["case 'B' when 'a' then 1 when 'b' then 2 end", 'int', 2],
  ["iif('a' = 'A ', 'same', 'not')", 'varchar(4)', 'same'],
  ['iif(null = null, 1, 0)', 'int', 0],
  ['iif(1 in (2, null), 1, 0)', 'int', 0],
  ['iif(not (1 in (2, null)), 1, 0)', 'int', 0],
  ['iif(2 between 1 and 3, 1, 0)', 'int', 1],
  ["iif('a_c' like 'a!_c' escape '!', 1, 0)", 'int', 1],
  ["iif('abc' like 'a!_c' escape '!', 1, 0)", 'int', 0],
  ["iif('Beta' like '[a-c]%', 1, 0)", 'int', 1],
  ["iif('delta' like '[^a-c]%', 1, 0)", 'int', 1],
  ["len('abc  ')", 'int', 3],
  ["datalength(N'abc')", 'int', 6],
  ["substring('hello', 0, 3)", 'varchar(5)', 'he'],
  ["left('hello', 2) + right('hello', 2)", 'varchar(10)', 'helo'],
  ["ltrim('  a ') + '|' + rtrim(' a  ') + '|'", 'varchar(10)', 'a | a|'],
  ["replace('aXbx', 'x', '-')", 'varchar(8000)', 'a-b-'],
  ["replicate('ab', 3)", 'varchar(8000)', 'ababab'],
  ["charindex('L', 'hello', 4)", 'int', 4],
  ["patindex('%l_o%', 'hello')", 'int', 3],
  ["patindex('%a%b%', replicate(cast('a' as varchar(max)), 300000))", 'int', 0],
  ["stuff('abcdef', 2, 3, 'X')", 'varchar(8000)', 'aXef'],
  ['str(123.456, 8, -1)', 'varchar(8000)', null],
  ['str(3.14159, 6, 2)', 'varchar(8000)', '  3.14'],
  ["hashbytes('MD5', 'abc')", 'varbinary(8000)', '0x900150983cd24fb0d6963f7d28e17f72'],
  ["hashbytes('sha1', 0x616263)", 'varbinary(8000)', '0xa9993e364706816aba3e25717850c26c9cd0d89d'],
  ["hashbytes('SHA', 'abc')", 'varbinary(8000)', '0xa9993e364706816aba3e25717850c26c9cd0d89d'],
  [
    "hashbytes('SHA2_256', cast('abc' as varchar(max)))",
    'varbinary(8000)',
    '0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  ],
  [
    "hashbytes('SHA2_512', 'abc')",
    'varbinary(8000)',
    '0xddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
  ],
  ["hashbytes('MD5', 'Zoë')", 'varbinary(8000)', '0x258211720889f0e02241e265df57459a'],
  ["hashbytes('MD5', N'Zoë')", 'varbinary(8000)', '0x6aa2916f1174dc3040fd21943a2945b2'],
  ["hashbytes('none', 'abc')", 'varbinary(8000)', null],
  ["hashbytes('MD5', null)", 'varbinary(8000)', null],
  ["type_name(56) + type_name(256) + type_name(type_id('sys.nvarchar'))", 'nvarchar(384)', 'intsysnamenvarchar'],
  ['type_name(1)', 'nvarchar(128)', null],
  ["type_id('[int]')", 'int', 56],
  ["type_id('dbo.int')", 'int', null],
  ["quotename('a]b')", 'nvarchar(258)', '[a]]b]'],
  ["concat('a', null, 1, 2.5)", 'varchar(8000)', 'a12.5'],
  ["concat_ws(',', 'a', null, 'b')", 'varchar(8000)', 'a,b'],
  ['char(65) + nchar(937)', 'nvarchar(2)', 'AΩ'],
  ["ascii('A')", 'int', 65],
  ["unicode(N'Ω')", 'int', 937],
  ["reverse('abc')", 'varchar(3)', 'cba'],
  ["formatmessage('%d of %s, %5.2x|%-4d|', 3, 'x', 255, 7)", 'nvarchar(2048)', '3 of x,    ff|7   |'],
  ['abs(-5)', 'int', 5],
  ['round(123.456, 1)', 'numeric(6,3)', '123.500'],
  ['round(125, -1)', 'int', 130],
  ['floor(-1.5)', 'numeric(2,1)', '-2.0'],
  ['ceiling(1.2)', 'numeric(2,1)', '2.0'],
  ['power(2, 10)', 'int', 1024],
  ['sign(-3.5)', 'numeric(2,1)', '-1.0'],
  ['sqrt(16)', 'float', 4],
  ["isnull(null, 'x')", 'varchar(1)', 'x'],
  ["isnull(cast(null as varchar(2)), 'abc')", 'varchar(2)', 'ab'],
  ['coalesce(null, null, 3)', 'int', 3],
  ['nullif(1, 1)', 'int', null],
  ["choose(2, 'a', 'b')", 'varchar(1)', 'b'],
  ["dateadd(month, 1, '2024-01-31')", 'datetime', '2024-02-29T00:00:00.000Z'],
  ["dateadd(ms, 5, cast('2024-01-31' as datetime))", 'datetime', '2024-01-31T00:00:00.007Z'],
  ["datediff(month, '2024-01-31', '2024-02-01')", 'int', 1],
  ["datediff(week, '2024-01-06', '2024-01-07')", 'int', 1],
  ["datediff(second, '2024-01-01', '2024-01-02')", 'int', 86400],
  ["datepart(weekday, '2024-01-15')", 'int', 2],
  ["datepart(iso_week, '2021-01-03')", 'int', 53],
  ["datepart(dayofyear, '2024-12-31')", 'int', 366],
  ["datename(month, '2024-01-15') + ' ' + datename(weekday, '2024-01-15')", 'nvarchar(61)', 'January Monday'],
  ["eomonth('2024-02-10')", 'date', '2024-02-29T00:00:00.000Z'],
  ["isdate('2024-02-30')", 'int', 0],
  ['getdate()', 'datetime', '2024-01-15T10:30:00.000Z'],
  ["try_cast('x' as int)", 'int', null],
  ["try_convert(datetime, '2024-13-01')", 'datetime', null],
  ["convert(varchar(30), cast('2024-01-15 10:11:12' as datetime), 120)", 'varchar(30)', '2024-01-15 10:11:12'],
  ["convert(varbinary(4), '0xAB', 1)", 'varbinary(4)', '0xab'],
  ["{ts '2024-01-15 10:11:12'}", 'datetime', '2024-01-15T10:11:12.000Z'],
  ["{fn upper('x')}", 'varchar(1)', 'X'],
  ['@@trancount', 'int', 0],
  ['@@spid', 'smallint', 51],
  ['@@max_precision', 'tinyint', 38],
  ['db_name()', 'nvarchar(128)', 'master'],
  ["db_id('tempdb')", 'smallint', 2],
  ["db_id('nope')", 'smallint', null],
  ['host_name()', 'nvarchar(128)', 'bench'],
  ['suser_sname()', 'nvarchar(128)', 'sa'],
  ['suser_sname(0x01)', 'nvarchar(128)', 'sa'],
  ['suser_sname(0x02)', 'nvarchar(128)', null],
  ['suser_sname(null)', 'nvarchar(128)', null],
  ["sid_binary(N'S-1-5-32-544')", 'varbinary(85)', '0x01020000000000052000000020020000'],
  ["sid_binary(N'')", 'varbinary(85)', null],
  ['sys.fn_varbintohexsubstring(1, 0x0a0b0c, 2, 1)', 'nvarchar(max)', '0x0b'],
  ['user', 'nvarchar(128)', 'dbo'],
  ["serverproperty('Edition')", 'sql_variant', 'Standard Edition (64-bit)'],
  ["serverproperty('NoSuch')", 'sql_variant', null],
  ["sql_variant_property(cast(1.5 as sql_variant), 'BaseType')", 'sql_variant', 'numeric'],
  ["is_srvrolemember('sysadmin')", 'int', 1],
  ['xact_state()', 'smallint', 0],
  ['(select 5)', 'int', 5],
  ['(select max(x) from (values (1), (3), (2)) v(x))', 'int', 3],
];

for (const [expression, type, value] of cases) {
  test(`select ${expression}`, async () => {
    const { sets, errors } = await batch(await openSession(), `select ${expression}`);
    assert.deepEqual(errors, []);
    assert.equal(sets[0]?.columns[0]?.type.declaration, type);
    assert.deepEqual(shown(sets[0]?.rows[0]?.[0]), value);
  });
}

const failures: readonly [expression: string, number: number][] = [
  ['1 / 0', 8134],
  ['1 % 0', 8134],
  ['2147483647 + 1', 8115],
  ["cast('x' as int)", 245],
  ["hashbytes('MD5', 1)", 8116],
  ["cast('x' as uniqueidentifier)", 8169],
  ["cast('x' as datetime)", 241],
  ['cast(0xffffffffffffffff as datetime)', 210],
  ['cast(0x0000000001ffffff as datetime)', 210],
  ['year(0x7fffffffffffffff)', 210],
  ['cast(0x0000ffff as smalldatetime)', 210],
  ['cast(0xffffff as date)', 210],
  ['ntile(2)', 10753],
  ['cast(300 as tinyint)', 220],
  ['cast(getdate() as uniqueidentifier)', 529],
  ['cast(getdate() as date) + 1', 206],
  ["-'x'", 8117],
  ['nosuch(1)', 195],
  ['len()', 174],
  ["substring('a')", 174],
  ["left('a', -1)", 537],
  ['datepart(nosuch, getdate())', 155],
  ['dateadd(year, 9000, getdate())', 517],
  ['row_number()', 10753],
  ['(select 1 union all select 2)', 512],
  ['(select 1, 2)', 116],
  ["cast('<a/>' as xml) + 'x'", 402],
  ['nocolumn', 207],
  ['no.col', 4104],
  ['@@nosuch', 137],
];

for (const [expression, number] of failures) {
  test(`select ${expression} fails with ${number}`, async () => {
    const { errors } = await batch(await openSession(), `select ${expression}`);
    assert.deepEqual(
      errors.map((error) => error.number),
      [number],
    );
  });
}
