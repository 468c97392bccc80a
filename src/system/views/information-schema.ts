import { type Columns, orNull } from '../../procedure/declare.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bigint, datetime, int, nvarchar, smallint, varchar } from '../../tds/types/index.ts';
import { type CatalogProcedure, type CatalogRelation, catalogOf, created, schemasOf } from '../catalog.ts';
import { isoNumberColumns, isoNumberRow, isoSizeColumns, isoSizeRow, isoType } from '../iso-type.ts';
import { sysname } from '../names.ts';
import { constant, view } from './view.ts';

const name = orNull(sysname);
const relations = (call: SystemCall): readonly CatalogRelation[] =>
  catalogOf(call).relations.filter(({ system }) => !system);
const procedures = (call: SystemCall): readonly CatalogProcedure[] =>
  catalogOf(call).procedures.filter(({ system }) => !system);

/** The schemas, as the SQL standard lists them. */
export const isoSchemata = view(
  'INFORMATION_SCHEMA',
  'SCHEMATA',
  {
    CATALOG_NAME: name,
    SCHEMA_NAME: sysname,
    SCHEMA_OWNER: name,
    DEFAULT_CHARACTER_SET_CATALOG: orNull(varchar(6)),
    DEFAULT_CHARACTER_SET_SCHEMA: orNull(varchar(3)),
    DEFAULT_CHARACTER_SET_NAME: name,
  } satisfies Columns,
  (call) =>
    [...schemasOf(call)].map(([schema, id]) => ({
      CATALOG_NAME: call.database,
      SCHEMA_NAME: schema,
      SCHEMA_OWNER: id > 4 ? 'dbo' : schema,
      DEFAULT_CHARACTER_SET_CATALOG: null,
      DEFAULT_CHARACTER_SET_SCHEMA: null,
      DEFAULT_CHARACTER_SET_NAME: 'iso_1',
    })),
);

/** The tables and views, as the SQL standard lists them. */
export const isoTables = view(
  'INFORMATION_SCHEMA',
  'TABLES',
  { TABLE_CATALOG: name, TABLE_SCHEMA: name, TABLE_NAME: sysname, TABLE_TYPE: orNull(varchar(10)) } satisfies Columns,
  (call) =>
    relations(call).map((of) => ({
      TABLE_CATALOG: call.database,
      TABLE_SCHEMA: of.schema,
      TABLE_NAME: of.name,
      TABLE_TYPE: of.type === 'view' ? 'VIEW' : 'BASE TABLE',
    })),
);

const noDomain = constant({ DOMAIN_CATALOG: [name, null], DOMAIN_SCHEMA: [name, null], DOMAIN_NAME: [name, null] });

/** The columns of tables and views, as the SQL standard lists them. */
export const isoColumns = view(
  'INFORMATION_SCHEMA',
  'COLUMNS',
  {
    TABLE_CATALOG: name,
    TABLE_SCHEMA: name,
    TABLE_NAME: sysname,
    COLUMN_NAME: name,
    ORDINAL_POSITION: int,
    COLUMN_DEFAULT: orNull(nvarchar(4000)),
    IS_NULLABLE: orNull(varchar(3)),
    ...isoSizeColumns,
    ...isoNumberColumns,
    CHARACTER_SET_CATALOG: name,
    CHARACTER_SET_SCHEMA: name,
    CHARACTER_SET_NAME: name,
    COLLATION_CATALOG: name,
    COLLATION_SCHEMA: name,
    COLLATION_NAME: name,
    ...noDomain.columns,
  } satisfies Columns,
  (call) =>
    relations(call).flatMap((of) =>
      of.columns.map((column, at) => ({
        TABLE_CATALOG: call.database,
        TABLE_SCHEMA: of.schema,
        TABLE_NAME: of.name,
        COLUMN_NAME: column.name,
        ORDINAL_POSITION: at + 1,
        COLUMN_DEFAULT: column.byDefault ?? null,
        IS_NULLABLE: column.nullable ? 'YES' : 'NO',
        ...isoSizeRow(column.type),
        ...isoNumberRow(column.type),
        CHARACTER_SET_CATALOG: null,
        CHARACTER_SET_SCHEMA: null,
        CHARACTER_SET_NAME: isoType(column.type).characterSet,
        COLLATION_CATALOG: null,
        COLLATION_SCHEMA: null,
        COLLATION_NAME: isoType(column.type).collation,
        ...noDomain.values,
      })),
    ),
);

const reserved = constant({
  INTERVAL_TYPE: [orNull(nvarchar(30)), null],
  INTERVAL_PRECISION: [orNull(smallint), null],
  USER_DEFINED_TYPE_CATALOG: [name, null],
  USER_DEFINED_TYPE_SCHEMA: [name, null],
  USER_DEFINED_TYPE_NAME: [name, null],
  SCOPE_CATALOG: [name, null],
  SCOPE_SCHEMA: [name, null],
  SCOPE_NAME: [name, null],
});

/** The parameters of procedures, as the SQL standard lists them. */
export const isoParameters = view(
  'INFORMATION_SCHEMA',
  'PARAMETERS',
  {
    SPECIFIC_CATALOG: name,
    SPECIFIC_SCHEMA: name,
    SPECIFIC_NAME: sysname,
    ORDINAL_POSITION: int,
    PARAMETER_MODE: orNull(nvarchar(10)),
    IS_RESULT: orNull(nvarchar(10)),
    AS_LOCATOR: orNull(nvarchar(10)),
    PARAMETER_NAME: name,
    ...isoSizeColumns,
    COLLATION_CATALOG: name,
    COLLATION_SCHEMA: name,
    COLLATION_NAME: name,
    CHARACTER_SET_CATALOG: name,
    CHARACTER_SET_SCHEMA: name,
    CHARACTER_SET_NAME: name,
    ...isoNumberColumns,
    ...reserved.columns,
  } satisfies Columns,
  (call) =>
    procedures(call).flatMap((of) =>
      of.params.map((param) => ({
        SPECIFIC_CATALOG: call.database,
        SPECIFIC_SCHEMA: of.schema,
        SPECIFIC_NAME: of.name,
        ORDINAL_POSITION: param.ordinal,
        PARAMETER_MODE: param.output ? 'INOUT' : 'IN',
        IS_RESULT: 'NO',
        AS_LOCATOR: 'NO',
        PARAMETER_NAME: param.name,
        ...isoSizeRow(param.type),
        COLLATION_CATALOG: null,
        COLLATION_SCHEMA: null,
        COLLATION_NAME: isoType(param.type).collation,
        CHARACTER_SET_CATALOG: null,
        CHARACTER_SET_SCHEMA: null,
        CHARACTER_SET_NAME: isoType(param.type).characterSet,
        ...isoNumberRow(param.type),
        ...reserved.values,
      })),
    ),
);

/** What the standard has for functions; a procedure returns none of it. */
const noResult = constant({
  MODULE_CATALOG: [name, null],
  MODULE_SCHEMA: [name, null],
  MODULE_NAME: [name, null],
  UDT_CATALOG: [name, null],
  UDT_SCHEMA: [name, null],
  UDT_NAME: [name, null],
  DATA_TYPE: [name, null],
  CHARACTER_MAXIMUM_LENGTH: [orNull(int), null],
  CHARACTER_OCTET_LENGTH: [orNull(int), null],
  COLLATION_CATALOG: [name, null],
  COLLATION_SCHEMA: [name, null],
  COLLATION_NAME: [name, null],
  CHARACTER_SET_CATALOG: [name, null],
  CHARACTER_SET_SCHEMA: [name, null],
  CHARACTER_SET_NAME: [name, null],
  NUMERIC_PRECISION: [orNull(smallint), null],
  NUMERIC_PRECISION_RADIX: [orNull(smallint), null],
  NUMERIC_SCALE: [orNull(smallint), null],
  DATETIME_PRECISION: [orNull(smallint), null],
  INTERVAL_TYPE: [orNull(nvarchar(30)), null],
  INTERVAL_PRECISION: [orNull(smallint), null],
  TYPE_UDT_CATALOG: [name, null],
  TYPE_UDT_SCHEMA: [name, null],
  TYPE_UDT_NAME: [name, null],
  SCOPE_CATALOG: [name, null],
  SCOPE_SCHEMA: [name, null],
  SCOPE_NAME: [name, null],
  MAXIMUM_CARDINALITY: [orNull(bigint), null],
  DTD_IDENTIFIER: [name, null],
});

const routineFacts = constant({
  EXTERNAL_NAME: [name, null],
  EXTERNAL_LANGUAGE: [orNull(nvarchar(30)), null],
  PARAMETER_STYLE: [orNull(nvarchar(30)), null],
  IS_DETERMINISTIC: [orNull(nvarchar(10)), 'NO'],
  SQL_DATA_ACCESS: [orNull(nvarchar(30)), 'MODIFIES'],
  IS_NULL_CALL: [orNull(nvarchar(10)), null],
  SQL_PATH: [name, null],
  SCHEMA_LEVEL_ROUTINE: [orNull(nvarchar(10)), 'YES'],
  MAX_DYNAMIC_RESULT_SETS: [orNull(smallint), -1],
  IS_USER_DEFINED_CAST: [orNull(nvarchar(10)), 'NO'],
  IS_IMPLICITLY_INVOCABLE: [orNull(nvarchar(10)), 'NO'],
});

/** The procedures, as the SQL standard lists them. */
export const isoRoutines = view(
  'INFORMATION_SCHEMA',
  'ROUTINES',
  {
    SPECIFIC_CATALOG: name,
    SPECIFIC_SCHEMA: name,
    SPECIFIC_NAME: sysname,
    ROUTINE_CATALOG: name,
    ROUTINE_SCHEMA: name,
    ROUTINE_NAME: sysname,
    ROUTINE_TYPE: orNull(nvarchar(20)),
    ...noResult.columns,
    ROUTINE_BODY: orNull(nvarchar(30)),
    ROUTINE_DEFINITION: orNull(nvarchar(4000)),
    ...routineFacts.columns,
    CREATED: datetime,
    LAST_ALTERED: datetime,
  } satisfies Columns,
  async (call) => {
    const since = await created(call);
    return procedures(call).map((of) => ({
      SPECIFIC_CATALOG: call.database,
      SPECIFIC_SCHEMA: of.schema,
      SPECIFIC_NAME: of.name,
      ROUTINE_CATALOG: call.database,
      ROUTINE_SCHEMA: of.schema,
      ROUTINE_NAME: of.name,
      ROUTINE_TYPE: 'PROCEDURE',
      ...noResult.values,
      ROUTINE_BODY: 'SQL',
      ROUTINE_DEFINITION: of.definition().slice(0, 4000),
      ...routineFacts.values,
      CREATED: since,
      LAST_ALTERED: since,
    }));
  },
);
