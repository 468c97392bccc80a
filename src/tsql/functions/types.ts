import { byName } from '../../base/by-name.ts';
import { fold } from '../../base/text/collation.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { sysnameId, typeIds } from '../../tds/types/type-ids.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import type { Host } from '../host.ts';
import { typeNamed } from '../storage/table-types.ts';
import { simple } from './define.ts';

/** The data types as sys.types lists them. */
const listed: readonly (readonly [name: string, id: number])[] = [
  ...Object.entries(typeIds).filter(([name]) => name !== 'table type'),
  ['sysname', sysnameId],
];

function idOf(text: string): number | null {
  const name = parseObjectName(text);
  // All of them are SQL Server's own.
  if (name === undefined || name.database || (name.schema && fold(name.schema) !== 'sys')) return null;
  return listed.find(([each]) => each === fold(name.name))?.[1] ?? null;
}

/** The number of a table type; undefined without a name of it. */
function tableTypeId(text: string, host: Host): number | null {
  const name = parseObjectName(text);
  return (name && typeNamed(name, host)?.id) ?? null;
}

/** The name of the type of a number. */
function nameOf(id: number, { tempDb, database }: Host): string | null {
  const own = listed.find(([, each]) => each === id)?.[0];
  if (own !== undefined || fold(database) !== 'tempdb') return own ?? null;
  for (const type of tempDb.types.all) if (type.id === id) return type.name;
  return null;
}

/** The types that have a scale, which ODBC knows too: exact numbers, and times with the digits of their fraction. */
const scaled: readonly AnyType[] = [
  ...[t.bigint, t.int, t.smallint, t.tinyint, t.decimal(38, 38), t.numeric(38, 38), t.money, t.smallmoney],
  ...[t.datetime, t.smalldatetime, t.date, t.time(7), t.datetime2(7), t.datetimeoffset(7)],
];
const scaledIds: ReadonlySet<number> = new Set(scaled.map(({ name }) => typeIds[name]));

/** The digits or characters of each type, and its scale if it has one. */
const measures: Readonly<Record<string, readonly [precision: number, scale?: number]>> = byName({
  ...Object.fromEntries(scaled.map(({ name, precision, scale }) => [name, [precision, scale] as const])),
  bit: [1],
  float: [53],
  real: [24],
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
  TYPE_NAME: simple('int', t.nvarchar(128), ([id], { frame }) => nameOf(Number(id), frame.host)),
  TYPEPROPERTY: simple('text, text', t.int, ([name, property]) => typeProperty(String(name), String(property))),
  // Not in the documentation, but SqlClient asks with it for the columns of table types.
  ODBCSCALE: simple('tinyint, tinyint', t.tinyint, ([type, scale]) => (scaledIds.has(Number(type)) ? scale : null)),
  TYPE_ID: simple('text', t.int, ([name], { frame }) => idOf(String(name)) ?? tableTypeId(String(name), frame.host)),
};
