import { readFileSync } from 'node:fs';
import { type Columns, orNull } from '../procedure/declare.ts';
import * as t from '../tds/types/index.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { sysname } from './names.ts';

const plain: Readonly<Record<string, AnyType>> = {
  bigint: t.bigint,
  bit: t.bit,
  date: t.date,
  datetime: t.datetime,
  float: t.float,
  image: t.image,
  int: t.int,
  money: t.money,
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
  datetimeoffset: t.datetimeoffset,
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

/** A type as the texts name it: `int`, `nvarchar(60)`, `varchar(max)`. */
export function typeNamed(text: string): AnyType {
  const [, name = '', length] = /^(\w+)(?:\((\w+)\))?$/.exec(text) ?? [];
  const type = length === undefined ? plain[name] : length === 'max' ? long[name] : sized[name]?.(Number(length));
  if (type === undefined) throw new Error(`nothing in the catalog is declared as ${text}`);
  return type;
}

/** A value as the texts write it: a number, 'text', or one word. */
export function valueIn(type: AnyType, text: string): unknown {
  const written = text.replace(/^'(.*)'$/, '$1');
  if (type.name === 'bit') return written === '1';
  if (type.name === 'bigint') return BigInt(written);
  return ['int', 'smallint', 'tinyint', 'float', 'real'].includes(type.name) ? Number(written) : written;
}

/** Columns, and the values of those that are the same in every row. */
export interface ColumnList {
  readonly columns: Columns;
  readonly constants: Readonly<Record<string, unknown>>;
}

/**
 * Parses columns: `name sysname, state tinyint? 0, state_desc nvarchar(60)? ONLINE`. A `?` allows NULL, and what
 * follows is the value of every row; without it, each row has its own, or NULL.
 */
export function readColumns(list: string): ColumnList {
  const columns: Record<string, Columns[string]> = {};
  const constants: Record<string, unknown> = {};
  for (const column of list.split(',')) {
    const [, quoted, plainName, declared = '', value] =
      /^\s*(?:"([^"]+)"|(\S+))\s+(\S+)(?:\s+(.+?))?\s*$/s.exec(column) ?? [];
    const name = quoted ?? plainName ?? '';
    const type = typeNamed(declared.replace(/\?$/, ''));
    columns[name] = declared.endsWith('?') ? orNull(type) : type;
    if (value !== undefined) constants[name] = valueIn(type, value);
  }
  return { columns, constants };
}

/** A view as its text declares it; the same one may have several names, with their schemas. */
export interface ViewText extends ColumnList {
  readonly names: readonly string[];
  /** Present for one that is a query over others. */
  readonly query?: string;
}

/** The texts next to a module. */
export const textOf = (file: string, beside: string): string => readFileSync(new URL(file, beside), 'utf8');

/**
 * Parses views: a line with the name, indented lines with columns, and `as` with a query. `{part}` inserts the columns
 * that were defined under that name before; lines that begin with `--` are comments.
 */
export function readViews(text: string): readonly ViewText[] {
  const parts = new Map<string, string>();
  const views: ViewText[] = [];
  const blocks = text.replaceAll(/^\s*--.*\n/gm, '').matchAll(/^(\S.*)\n((?:[ \t]+.*\n|\n(?=[ \t]))*)/gm);
  for (const [, head = '', body = ''] of blocks) {
    const [list = '', query] = body.split(/^\s+as\s/m);
    const whole = list.replaceAll(/\{(\w+)\}/g, (_, part: string) => {
      const found = parts.get(part);
      if (found === undefined) throw new Error(`the catalog has no part ${part} before ${head}`);
      return found;
    });
    const part = /^\{(\w+)\}$/.exec(head)?.[1];
    if (part !== undefined) parts.set(part, whole.trim());
    else views.push({ names: head.split(/\s+/), ...readColumns(whole), ...(query === undefined ? {} : { query }) });
  }
  return views;
}
