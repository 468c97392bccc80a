import * as t from '../../../src/tds/types/index.ts';
import type { AnyType } from '../../../src/tds/types/sql-type.ts';
import type { Random } from '../random.ts';

/** A type of each kind. */
export const everyType: readonly AnyType[] = [
  t.bigint,
  t.int,
  t.smallint,
  t.tinyint,
  t.bit,
  t.decimal(18, 4),
  t.numeric(38, 0),
  t.money,
  t.smallmoney,
  t.float,
  t.real,
  t.datetime,
  t.smalldatetime,
  t.date,
  t.time(7),
  t.datetime2(3),
  t.datetimeoffset(7),
  t.char(10),
  t.varchar(100),
  t.varchar('max'),
  t.text,
  t.nchar(10),
  t.nvarchar(100),
  t.nvarchar('max'),
  t.ntext,
  t.binary(10),
  t.varbinary(100),
  t.varbinary('max'),
  t.image,
  t.uniqueidentifier,
  t.xml,
  t.sqlVariant,
  t.rowversion,
];

const number = (random: Random): number =>
  random.pick([0, 1, -1, 255, 32_767, -32_768, 2_147_483_647, -2_147_483_648, random.below(1000)]);

const text = (random: Random): string =>
  random
    .some(10, () =>
      random.pick([
        ' ',
        '1',
        '-',
        '.',
        'e',
        ':',
        '/',
        'T',
        '2024-02-30',
        '12:61',
        'Z',
        '+14:00',
        'true',
        '$',
        ',',
        '0x',
        'a',
        'é',
        '\u{1f600}',
        '{',
        '<a/>',
      ]),
    )
    .join('');

/** A value that the type can be written with. */
export function anyValue(random: Random, type: AnyType): unknown {
  if (random.chance(6)) return null;
  switch (type.name) {
    case 'bigint':
    case 'timestamp':
      return BigInt(number(random)) & 0x7fffffffn;
    case 'int':
      return number(random);
    case 'smallint':
      return random.below(60_000) - 30_000;
    case 'tinyint':
      return random.below(256);
    case 'bit':
      return random.chance(2);
    case 'decimal':
    case 'numeric':
    case 'money':
    case 'smallmoney':
      return { unscaled: BigInt(random.below(1_000_000)), scale: type.name.endsWith('money') ? 4 : type.scale };
    case 'float':
    case 'real':
      return Math.fround(number(random) / 3);
    case 'datetime':
    case 'smalldatetime':
    case 'date':
      return new Date(Date.UTC(1990 + random.below(50), random.below(12), 1 + random.below(28)));
    case 'time':
    case 'datetime2':
    case 'datetimeoffset':
      return {
        day: random.below(3_000_000),
        ticks: random.below(86_400) * 10_000_000,
        ...(type.name === 'datetimeoffset' ? { offset: random.below(1600) - 800 } : {}),
      };
    case 'uniqueidentifier':
      return '00112233-4455-6677-8899-aabbccddeeff';
    case 'sql_variant':
      return { type: t.int, value: number(random) };
    case 'binary':
    case 'varbinary':
    case 'image':
      return random.bytes(type.name === 'binary' ? 10 : random.below(60));
    default:
      return text(random)
        .slice(0, 10)
        .padEnd(type.name.endsWith('char') && !type.name.includes('var') ? 10 : 0);
  }
}

/** Texts that conversions have to read. */
export const anyText = text;
