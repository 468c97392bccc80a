import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex, throwsNumber } from '../../../test/support/tds.ts';
import { ByteReader } from '../byte-reader.ts';
import { dialectOf, modern, tdsVersions } from '../version.ts';
import { readTypeInfo } from './type-info.ts';

function read(text: string, dialect = modern): { declaration: string; value: unknown } {
  const bytes = new ByteReader(hex(text));
  const type = readTypeInfo(bytes, dialect);
  const value: unknown = type.read(bytes, dialect);
  assert.equal(bytes.remaining, 0);
  return { declaration: type.declaration, value };
}

const incoming: readonly [string, string, string, unknown][] = [
  ['2.2.5.4.1: NULLTYPE has no value', '1f', 'int', null],
  ['2.2.5.4.2: INT1', '30 ff', 'tinyint', 255],
  ['2.2.5.4.2: BIT', '32 01', 'bit', true],
  ['2.2.5.4.2: INT2', '34 feff', 'smallint', -2],
  ['2.2.5.4.2: INT4', '38 01000000', 'int', 1],
  ['2.2.5.4.2: INT8', '7f 0100000000000000', 'bigint', 1n],
  ['2.2.5.4.2: FLT4', '3b 0000003f', 'real', 0.5],
  ['2.2.5.4.2: FLT8', '3e 000000000000e03f', 'float', 0.5],
  ['2.2.5.4.2: MONEY4', '7a 01000000', 'smallmoney', { unscaled: 1n, scale: 4 }],
  ['2.2.5.4.2: MONEY', '3c 00000000 01000000', 'money', { unscaled: 1n, scale: 4 }],
  ['2.2.5.4.2: DATETIM4', '3a 0000 0100', 'smalldatetime', new Date('1900-01-01T00:01:00Z')],
  ['2.2.5.4.2: DATETIME', '3d 00000000 2c010000', 'datetime', new Date('1900-01-01T00:00:01Z')],
  [
    '2.2.5.4.3: a decimal in more bytes than it needs',
    '6c 11 05 02 11 01 01000000000000000000000000000000',
    'numeric(5,2)',
    { unscaled: 1n, scale: 2 },
  ],
  ['2.2.5.4.3: VARCHAR of old', '27 05 02 6162', 'varchar(5)', 'ab'],
  ['2.2.5.4.3: VARCHAR of old, NULL', '27 05 00', 'varchar(5)', null],
  ['2.2.5.4.3: CHAR of old', '2f 02 02 6162', 'char(2)', 'ab'],
  ['2.2.5.4.3: VARBINARY of old', '25 05 01 07', 'varbinary(5)', Buffer.of(7)],
  ['2.2.5.4.3: BINARY of old', '2d 01 01 07', 'binary(1)', Buffer.of(7)],
  ['2.2.5.4.3: CHAR', 'af 0300 0904100000 0300 616263', 'char(3)', 'abc'],
  ['2.2.5.4.3: NCHAR', 'ef 0200 0904100000 0200 6100', 'nchar(1)', 'a'],
  ['2.2.5.4.3: a collation of zeros is taken', 'e7 0400 0000000000 0200 6100', 'nvarchar(2)', 'a'],
  ['2.2.5.4.3: a greatest length of 0 is taken', 'e7 0000 0904100000 ffff', 'nvarchar(1)', null],
  ['2.2.5.4.3: a uniqueidentifier without a length is NULL', '24 00 00', 'uniqueidentifier', null],
  ['2.2.5.4.3: a numeric without a digit is NULL', '6c 11 00 00 00', 'numeric(1,0)', null],
  ['2.2.5.4.3: TEXT in a parameter has no text pointer', '23 10000000 0904100000 02000000 6162', 'text', 'ab'],
  ['2.2.5.4.3: NTEXT', '63 10000000 0904100000 02000000 6100', 'ntext', 'a'],
  ['2.2.5.4.3: NTEXT, NULL', '63 10000000 0904100000 ffffffff', 'ntext', null],
  ['2.2.5.4.3: IMAGE', '22 10000000 01000000 07', 'image', Buffer.of(7)],
  [
    '2.2.5.2.3: PLP of unknown length in chunks',
    'e7 ffff 0904100000 feffffffffffffff 02000000 6100 02000000 6200 00000000',
    'nvarchar(max)',
    'ab',
  ],
  [
    '2.2.5.2.3: a character may be split between chunks',
    'e7 ffff 0904100000 feffffffffffffff 01000000 61 01000000 00 00000000',
    'nvarchar(max)',
    'a',
  ],
  ['2.2.5.5.3: XML with a byte order mark', 'f1 00 feffffffffffffff 04000000 fffe 3c00 00000000', 'xml', '<'],
  ['2.2.5.5.3: XML in UTF-8', 'f1 00 feffffffffffffff 06000000 3c61c3bc2f3e 00000000', 'xml', '<aü/>'],
  ['2.2.5.5.3: XML with a schema collection', 'f1 01 00 00 0000 ffffffffffffffff', 'xml', null],
];

for (const [name, bytes, declaration, value] of incoming) {
  test(`MS-TDS ${name}`, () => assert.deepEqual(read(bytes), { declaration, value }));
}

test('MS-TDS 2.2.5.1.2: varchar is read in the code page of its collation', () => {
  const withCollation = (collation: string): unknown => read(`a7 0a00 ${collation} 0100 e4`).value;
  assert.equal(withCollation('0904100000'), 'ä');
  assert.equal(withCollation('1904d00000'), 'д');
  assert.equal(withCollation('0804d00000'), 'δ');
  assert.equal(withCollation('1f04d00000'), 'ä');
  assert.equal(withCollation('1504d00000'), 'ä');
  assert.equal(withCollation('0904d0006a'), 'д');
  assert.equal(read('a7 0a00 0904d00434 0200 c3a4').value, 'ä');
});

test('MS-TDS 2.2.5.5.3: XML in bytes is in the encoding that it declares; 9420 for bytes that are no character', () => {
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><ü/>`;
  const xml = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return read(`f1 00 feffffffffffffff ${length.toString('hex')} ${bytes.toString('hex')} 00000000`).value;
  };
  assert.equal(xml(Buffer.from(declared('iso-8859-1'), 'latin1')), declared('iso-8859-1'));
  throwsNumber(9420, () => xml(Buffer.from(declared('utf-8'), 'latin1')));
  throwsNumber(9402, () => xml(Buffer.from(declared('utf-16'))));
});

test('MS-TDS 2.2.5.4: a type byte that does not exist is 8009, and names itself', () => {
  throwsNumber(8009, () => read('99'));
  assert.throws(() => read('99'), /Data type 0x99 is unknown/);
});

test('only parameters are of table types, 8009 elsewhere; user-defined types are refused by name', () => {
  throwsNumber(8009, () => read('f3 00 03 640062006f00 01 6100'));
  assert.throws(() => read('f0'), /User-defined types are not supported/);
});

test('lengths that a type cannot have are 8016', () => {
  for (const info of ['26 03', '24 0f', '68 02', '6d 05', '6e 03', '6f 05', '29 08', '6c 20 05 02']) {
    throwsNumber(8016, () => read(`${info} 00`));
  }
  throwsNumber(8016, () => read('e7 0300 0904100000 ffff'));
  throwsNumber(8016, () => read('e7 5000 0904100000 ff7f'));
  throwsNumber(8016, () => read('af ffff 0904100000 ffff'));
  throwsNumber(8016, () => read('e7 ffff 0904100000 ffff', dialectOf(tdsVersions['7.1'])));
});

test('text of an odd number of bytes, and numbers of a wrong length, are 8028', () => {
  throwsNumber(8028, () => read('e7 0a00 0904100000 0300 610062'));
  throwsNumber(8028, () => read('63 10000000 0904100000 01000000 61'));
  throwsNumber(8028, () => read('26 04 02 0000'));
  throwsNumber(8028, () => read('e7 ffff 0904100000 0400000000000000 02000000 6100 00000000'));
});

test('bytes that are no value of their type are 8023', () => {
  throwsNumber(8023, () => read('6d 08 08 000000000000f07f'));
  throwsNumber(8023, () => read('6c 05 02 03 00'));
  throwsNumber(8023, () => read('6c 05 02 00 05 01 64000000'));
  throwsNumber(8023, () => read('6f 08 08 00000000 00828b01'));
  throwsNumber(8023, () => read('6f 04 04 0000 a005'));
  throwsNumber(8023, () => read('28 03 ffffff'));
  throwsNumber(8023, () => read('29 00 03 805101'));
  throwsNumber(8023, () => read('2b 00 08 000000 000000 4903'));
  throwsNumber(8023, () => read('2b 00 08 000000 000000 c4ff'));
  throwsNumber(8023, () => read('f1 00 feffffffffffffff 02000000 dfff 00000000'));
});
