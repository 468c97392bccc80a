import type { Row } from '../../base/stored.ts';
import { orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import { int, smallint, tinyint, varchar } from '../../tds/types/index.ts';
import { type OfferedType, offeredTypes } from '../datatype-info.ts';
import { measure, type OdbcLevel } from '../measures.ts';
import { sysname } from '../names.ts';
import { typeFacts } from '../type-facts.ts';

const columns = {
  TYPE_NAME: sysname,
  DATA_TYPE: smallint,
  PRECISION: orNull(int),
  LITERAL_PREFIX: orNull(varchar(32)),
  LITERAL_SUFFIX: orNull(varchar(32)),
  CREATE_PARAMS: orNull(varchar(32)),
  NULLABLE: smallint,
  CASE_SENSITIVE: smallint,
  SEARCHABLE: smallint,
  UNSIGNED_ATTRIBUTE: orNull(smallint),
  MONEY: smallint,
  AUTO_INCREMENT: orNull(smallint),
  LOCAL_TYPE_NAME: orNull(sysname),
  MINIMUM_SCALE: orNull(smallint),
  MAXIMUM_SCALE: orNull(smallint),
  SQL_DATA_TYPE: smallint,
  SQL_DATETIME_SUB: orNull(smallint),
  NUM_PREC_RADIX: orNull(int),
  INTERVAL_PRECISION: orNull(smallint),
  USERTYPE: smallint,
};

const asNumber = (flag: boolean | null): number | null => (flag === null ? null : Number(flag));

function rowOf(offered: OfferedType, level: OdbcLevel): Row<typeof columns> {
  const { name, type, scales } = offered;
  const measures = measure(type, level);
  return {
    TYPE_NAME: name,
    DATA_TYPE: measures.dataType,
    PRECISION: type.name === 'sql_variant' ? measures.length : measures.precision,
    LITERAL_PREFIX: offered.prefix,
    LITERAL_SUFFIX: offered.suffix,
    CREATE_PARAMS: offered.createParams,
    NULLABLE: Number(offered.nullable),
    CASE_SENSITIVE: 0,
    SEARCHABLE: offered.searchable,
    UNSIGNED_ATTRIBUTE: asNumber(offered.unsigned),
    MONEY: Number(typeFacts[type.name].family === 'money'),
    AUTO_INCREMENT: asNumber(offered.autoIncrement),
    LOCAL_TYPE_NAME: name,
    MINIMUM_SCALE: scales?.[0] ?? null,
    MAXIMUM_SCALE: scales?.[1] ?? null,
    SQL_DATA_TYPE: measures.sqlDataType,
    SQL_DATETIME_SUB: measures.datetimeSub,
    NUM_PREC_RADIX: measures.radix,
    INTERVAL_PRECISION: null,
    USERTYPE: offered.usertype ?? typeFacts[type.name].usertype,
  };
}

/** ODBC requires them by number; identity columns come last, the rest keeps the order of the list. */
const byNumber = (a: Row<typeof columns>, b: Row<typeof columns>): number =>
  a.DATA_TYPE - b.DATA_TYPE || (a.AUTO_INCREMENT ?? 0) - (b.AUTO_INCREMENT ?? 0);

const datatypeInfo = (name: string, modern: boolean) =>
  systemProcedure({
    name,
    section: systemSection,
    summary: 'Lists the data types of SQL Server, as ODBC sees them.',
    access: 'none',
    params: {
      data_type: optional(int, 0, 'The number of a type in ODBC; 0 for all.'),
      ODBCVer: optional(tinyint, 2, 'The version of ODBC.'),
    },
    outcomes: { listed: { code: 0, meaning: 'Always.', sets: { types: columns } } },
    handle(_call, { data_type, ODBCVer }) {
      const rows = offeredTypes.map((offered) => rowOf(offered, { version: ODBCVer ?? 2, modern }));
      const wanted = rows.filter((row) => !data_type || row.DATA_TYPE === data_type);
      return { outcome: 'listed', sets: { types: wanted.sort(byNumber) } };
    },
  });

/** sp_datatype_info for clients from before SQL Server 2008. */
export const spDatatypeInfo = datatypeInfo('sp_datatype_info', false);
/** sp_datatype_info as SQL Server 2005 has it. */
export const spDatatypeInfo90 = datatypeInfo('sp_datatype_info_90', false);
/** sp_datatype_info with the types of SQL Server 2008. */
export const spDatatypeInfo100 = datatypeInfo('sp_datatype_info_100', true);
