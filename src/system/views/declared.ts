import { type Columns, orNull } from '../../procedure/declare.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { sysname } from '../names.ts';

const plain: Readonly<Record<string, AnyType>> = {
  bigint: t.bigint,
  bit: t.bit,
  date: t.date,
  datetime: t.datetime,
  float: t.float,
  int: t.int,
  real: t.real,
  smallint: t.smallint,
  sql_variant: t.sqlVariant,
  sysname,
  tinyint: t.tinyint,
  uniqueidentifier: t.uniqueidentifier,
  xml: t.xml,
};

const sized: Readonly<Record<string, (length: number) => AnyType>> = {
  binary: t.binary,
  char: t.char,
  datetime2: t.datetime2,
  nchar: t.nchar,
  numeric: (precision) => t.numeric(precision, 0),
  nvarchar: t.nvarchar,
  varbinary: t.varbinary,
  varchar: t.varchar,
};
const long: Readonly<Record<string, AnyType>> = {
  nvarchar: t.nvarchar('max'),
  varbinary: t.varbinary('max'),
  varchar: t.varchar('max'),
};

function typeOf(text: string): AnyType {
  const [, name = '', length] = /^(\w+)(?:\((\w+)\))?$/.exec(text) ?? [];
  const type = length === undefined ? plain[name] : length === 'max' ? long[name] : sized[name]?.(Number(length));
  if (type === undefined) throw new Error(`no column of a catalog view is declared as ${text}`);
  return type;
}

/** The columns of a list as the catalog's tables have it: `name sysname, principal_id int?`, where ? allows NULL. */
export function declaredColumns(list: string): Columns {
  const columns = list.split(',').map((column) => {
    const [name = '', type = ''] = column.trim().split(/\s+/);
    return [name, type.endsWith('?') ? orNull(typeOf(type.slice(0, -1))) : typeOf(type)] as const;
  });
  return Object.fromEntries(columns);
}
