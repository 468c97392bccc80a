import type { Row } from '../base/stored.ts';
import { type Columns, orNull } from '../procedure/declare.ts';
import { int, nvarchar, smallint, tinyint, varchar } from '../tds/types/index.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { measure, type OdbcLevel } from './measures.ts';
import { sysname } from './names.ts';
import { nameOfType, typeFacts } from './type-facts.ts';

/** The columns that sp_columns and sp_sproc_columns share. */
export const odbcColumns = {
  DATA_TYPE: smallint,
  TYPE_NAME: sysname,
  PRECISION: orNull(int),
  LENGTH: orNull(int),
  SCALE: orNull(smallint),
  RADIX: orNull(smallint),
  NULLABLE: smallint,
  REMARKS: orNull(varchar(254)),
  COLUMN_DEF: orNull(nvarchar(4000)),
  SQL_DATA_TYPE: smallint,
  SQL_DATETIME_SUB: orNull(smallint),
  CHAR_OCTET_LENGTH: orNull(int),
  ORDINAL_POSITION: int,
  IS_NULLABLE: varchar(254),
} satisfies Columns;

/** What SQL Server 2005 added: where user-defined types and XML schema collections live. Granary has neither. */
export const userTypeColumns = {
  SS_UDT_CATALOG_NAME: orNull(sysname),
  SS_UDT_SCHEMA_NAME: orNull(sysname),
  SS_UDT_ASSEMBLY_TYPE_NAME: orNull(nvarchar(4000)),
  SS_XML_SCHEMACOLLECTION_CATALOG_NAME: orNull(sysname),
  SS_XML_SCHEMACOLLECTION_SCHEMA_NAME: orNull(sysname),
  SS_XML_SCHEMACOLLECTION_NAME: orNull(sysname),
} satisfies Columns;

/** The row of a type that SQL Server itself has. */
export const noUserType: Row<typeof userTypeColumns> = {
  SS_UDT_CATALOG_NAME: null,
  SS_UDT_SCHEMA_NAME: null,
  SS_UDT_ASSEMBLY_TYPE_NAME: null,
  SS_XML_SCHEMACOLLECTION_CATALOG_NAME: null,
  SS_XML_SCHEMACOLLECTION_SCHEMA_NAME: null,
  SS_XML_SCHEMACOLLECTION_NAME: null,
};

/** The last column of each: the type as TDS numbers it. */
export const tdsTypeColumn = { SS_DATA_TYPE: tinyint } satisfies Columns;

/** The value of that column for a type. */
export const tdsType = (type: AnyType, nullable: boolean): Row<typeof tdsTypeColumn> => ({
  SS_DATA_TYPE: typeFacts[type.name].ss[nullable ? 0 : 1],
});

/** The values of those columns for a column or parameter. */
export function odbcRow(
  of: {
    readonly type: AnyType;
    readonly nullable: boolean;
    readonly ordinal: number;
    readonly byDefault?: string | undefined;
    readonly identity?: unknown;
  },
  level: OdbcLevel,
): Row<typeof odbcColumns> {
  const measures = measure(of.type, level);
  return {
    DATA_TYPE: measures.dataType,
    // An identity is part of the type's name to ODBC.
    TYPE_NAME: of.identity === undefined ? nameOfType(of.type) : `${of.type.name} identity`,
    PRECISION: measures.precision,
    LENGTH: measures.length,
    SCALE: measures.scale,
    RADIX: measures.radix,
    NULLABLE: of.nullable ? 1 : 0,
    REMARKS: null,
    COLUMN_DEF: of.byDefault ?? null,
    SQL_DATA_TYPE: measures.sqlDataType,
    SQL_DATETIME_SUB: measures.datetimeSub,
    CHAR_OCTET_LENGTH: measures.octets,
    ORDINAL_POSITION: of.ordinal,
    IS_NULLABLE: of.nullable ? 'YES' : 'NO',
  };
}
