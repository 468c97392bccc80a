import { type Columns, orNull } from '../../procedure/declare.ts';
import { bit, int, smallint, tinyint, varchar } from '../../tds/types/index.ts';
import { schemaIds, sysname } from '../names.ts';
import { typeFacts } from '../type-facts.ts';
import { precisionOf } from './syscolumns.ts';
import { collationOf } from './typed.ts';
import { listedTypes, userTypeOf } from './types.ts';
import { constant, view } from './view.ts';

const unbound = constant({ tdefault: [int, 0], domain: [int, 0] });

const columns = {
  name: sysname,
  xtype: tinyint,
  status: orNull(tinyint),
  xusertype: orNull(smallint),
  length: smallint,
  xprec: tinyint,
  xscale: tinyint,
  ...unbound.columns,
  uid: orNull(smallint),
  reserved: orNull(smallint),
  collationid: orNull(int),
  usertype: orNull(smallint),
  variable: orNull(bit),
  allownulls: orNull(bit),
  type: tinyint,
  printfmt: orNull(varchar(255)),
  prec: orNull(smallint),
  scale: orNull(tinyint),
  collation: orNull(sysname),
} satisfies Columns;

/** The data types, as SQL Server 2000 listed them. */
export const systypes = view('sys', 'systypes', columns, () =>
  listedTypes.map((listed) => {
    const { type } = listed;
    const facts = typeFacts[type.name];
    return {
      name: listed.name,
      xtype: facts.id,
      status: 0,
      xusertype: userTypeOf(listed),
      length: type.maxLength,
      xprec: type.precision,
      xscale: listed.scales?.[1] ?? type.scale,
      ...unbound.values,
      uid: schemaIds['sys'] ?? 4,
      reserved: 0,
      collationid: 0,
      usertype: listed.usertype ?? facts.usertype,
      variable: /^n?var/.test(type.name),
      allownulls: listed.nullable,
      type: facts.ss[1],
      printfmt: null,
      prec: precisionOf(type),
      scale: facts.family === 'text' ? null : (listed.scales?.[1] ?? type.scale),
      collation: collationOf(type),
    };
  }),
);
