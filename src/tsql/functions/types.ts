import { byName } from '../../base/by-name.ts';
import { fold } from '../../base/collation.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import * as t from '../../tds/types/index.ts';
import { sysnameId, typeIds } from '../../tds/types/type-ids.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { simple } from './define.ts';

/** The data types as sys.types lists them. */
const listed: readonly (readonly [name: string, id: number])[] = [...Object.entries(typeIds), ['sysname', sysnameId]];

function idOf(text: string): number | null {
  const name = parseObjectName(text);
  // All of them are SQL Server's own.
  if (name === undefined || name.database || (name.schema && fold(name.schema) !== 'sys')) return null;
  return listed.find(([each]) => each === fold(name.name))?.[1] ?? null;
}

/** The types whose scale ODBC knows: exact numbers, and times with the digits of their fraction. */
const scaled: ReadonlySet<number> = new Set([
  ...[typeIds.bigint, typeIds.int, typeIds.smallint, typeIds.tinyint],
  ...[typeIds.decimal, typeIds.numeric, typeIds.money, typeIds.smallmoney],
  ...[typeIds.date, typeIds.time, typeIds.datetime, typeIds.smalldatetime, typeIds.datetime2, typeIds.datetimeoffset],
]);

/** The digits or characters of each type, and its scale where it has one. */
const measures: Readonly<Record<string, readonly [precision: number, scale?: number]>> = byName({
  bigint: [19, 0],
  int: [10, 0],
  smallint: [5, 0],
  tinyint: [3, 0],
  bit: [1],
  decimal: [38, 38],
  numeric: [38, 38],
  money: [19, 4],
  smallmoney: [10, 4],
  float: [53],
  real: [24],
  datetime: [23, 3],
  smalldatetime: [16, 0],
  date: [10, 0],
  time: [16, 7],
  datetime2: [27, 7],
  datetimeoffset: [34, 7],
  char: [8000],
  varchar: [8000],
  binary: [8000],
  varbinary: [8000],
  nchar: [4000],
  nvarchar: [4000],
  sysname: [128],
  text: [2147483647],
  image: [2147483647],
  ntext: [1073741823],
  timestamp: [8],
  uniqueidentifier: [16],
  xml: [-1],
  sql_variant: [0],
});

function typeProperty(text: string, property: string): number | null {
  const name = idOf(text) === null ? '' : fold(parseObjectName(text)?.name ?? '');
  const [precision, scale] = measures[name] ?? [];
  if (precision === undefined) return null;
  const known: Readonly<Record<string, number | undefined>> = byName({
    allowsnull: name === 'sysname' || name === 'timestamp' ? 0 : 1,
    ownerid: 4,
    precision,
    scale,
    usesansitrim: /char|binary/.test(name) ? 1 : undefined,
  });
  return known[property.toLowerCase()] ?? null;
}

/** The functions about data types. */
export const typeFunctions: Readonly<Record<string, FunctionSpec>> = {
  TYPE_NAME: simple('int', t.nvarchar(128), ([id]) => listed.find(([, each]) => each === Number(id))?.[0] ?? null),
  TYPEPROPERTY: simple('text, text', t.int, ([name, property]) => typeProperty(String(name), String(property))),
  // Not in the documentation, but SqlClient asks with it for the columns of table types.
  ODBCSCALE: simple('tinyint, tinyint', t.tinyint, ([type, scale]) => (scaled.has(Number(type)) ? scale : null)),
  TYPE_ID: simple('text', t.int, ([name]) => idOf(String(name))),
};
