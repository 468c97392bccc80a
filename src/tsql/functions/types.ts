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

/** The functions about data types. */
export const typeFunctions: Readonly<Record<string, FunctionSpec>> = {
  TYPE_NAME: simple({
    args: [t.int],
    returns: t.nvarchar(128),
    apply: ([id]) => listed.find(([, each]) => each === Number(id))?.[0] ?? null,
  }),
  // Not in the documentation, but SqlClient asks with it for the columns of table types.
  ODBCSCALE: simple({
    args: [t.tinyint, t.tinyint],
    returns: t.tinyint,
    apply: ([type, scale]) => (scaled.has(Number(type)) ? scale : null),
  }),
  TYPE_ID: simple({ args: ['text'], returns: t.int, apply: ([name]) => idOf(String(name)) }),
};
