import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import { int, smallint, tinyint, varbinary, varchar } from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { catalogOf } from '../catalog.ts';
import { declaredLength } from '../measures.ts';
import { sysname } from '../names.ts';
import { typeFacts } from '../type-facts.ts';
import { collationOf } from './typed.ts';
import { constant, view } from './view.ts';

const layout = constant({
  xoffset: [orNull(smallint), 0],
  bitpos: [orNull(tinyint), 0],
  reserved: [orNull(tinyint), 0],
  colstat: [orNull(smallint), 0],
  cdefault: [int, 0],
  domain: [int, 0],
});

const columns = {
  name: orNull(sysname),
  id: int,
  xtype: tinyint,
  typestat: tinyint,
  xusertype: orNull(smallint),
  length: smallint,
  xprec: tinyint,
  xscale: tinyint,
  colid: orNull(smallint),
  ...layout.columns,
  number: orNull(smallint),
  colorder: orNull(smallint),
  autoval: orNull(varbinary(8000)),
  offset: orNull(smallint),
  collationid: orNull(int),
  status: orNull(tinyint),
  type: tinyint,
  usertype: orNull(smallint),
  printfmt: orNull(varchar(255)),
  prec: orNull(smallint),
  scale: orNull(int),
  iscomputed: orNull(int),
  isoutparam: orNull(int),
  isnullable: orNull(int),
  collation: orNull(sysname),
} satisfies Columns;

/** The digits or characters of a type; NULL for the ones that have neither. */
export const precisionOf = (type: AnyType): number | null =>
  typeFacts[type.name].family === 'text' ? (declaredLength(type) ?? -1) : type.precision || null;

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly type: AnyType;
  readonly nullable: boolean;
  readonly ordinal: number;
  readonly output: boolean;
  /** 1 for a procedure's parameter, 0 for a column. */
  readonly number: number;
}

function rowOf({ id, name, type, nullable, ordinal, output, number }: Entry): Row<typeof columns> {
  const facts = typeFacts[type.name];
  return {
    name,
    id,
    xtype: facts.id,
    typestat: nullable ? 2 : 3,
    xusertype: facts.id,
    length: type.maxLength,
    xprec: type.precision,
    xscale: type.scale,
    colid: ordinal,
    ...layout.values,
    number,
    colorder: ordinal,
    autoval: null,
    offset: 0,
    collationid: 0,
    status: (nullable ? 8 : 0) | (output ? 64 : 0),
    type: facts.ss[nullable ? 0 : 1],
    usertype: facts.usertype,
    printfmt: null,
    prec: precisionOf(type),
    scale: facts.family === 'text' ? null : type.scale,
    iscomputed: 0,
    isoutparam: Number(output),
    isnullable: Number(nullable),
    collation: collationOf(type),
  };
}

/** The columns of tables and views, and the parameters of procedures. */
export const syscolumns = view('sys', 'syscolumns', columns, (call) => {
  const { procedures, relations } = catalogOf(call);
  const ofRelations = relations
    .filter(({ system }) => !system)
    .flatMap(({ id, columns: listed }) =>
      listed.map((column, at) => rowOf({ ...column, id, ordinal: at + 1, output: false, number: 0 })),
    );
  const ofProcedures = procedures
    .filter(({ system }) => !system)
    .flatMap(({ id, params }) => params.map((param) => rowOf({ ...param, id, nullable: true, number: 1 })));
  return [...ofRelations, ...ofProcedures];
});
