import type { Row } from '../../base/stored.ts';
import { type Columns, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional, required } from '../../procedure/param.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bit, int, nvarchar, smallint } from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { type CalledParam, calledParams } from '../called-params.ts';
import { declaredLength } from '../measures.ts';
import { sysname } from '../names.ts';
import { nameTest, unnumbered } from '../pattern.ts';
import { nameOfType, schemaOfType, typeFacts } from '../type-facts.ts';

const params = {
  procedure_name: required(sysname, 'The procedure.'),
  group_number: optional(int, 1, 'The number behind its name; ours are all 1.'),
  procedure_schema: optional(sysname, null, 'The schema of the procedure.'),
  parameter_name: optional(sysname, null, 'One parameter; without it, all.'),
};

interface Input {
  readonly procedure_name: string;
  readonly group_number: number | null;
  readonly procedure_schema: string | null;
  readonly parameter_name: string | null;
}

/** OLE DB's DBPARAMTYPE numbers. */
const directions = { input: 1, output: 2, returned: 4 };

/** The parameters of the one procedure of that name, its return value first. */
function entries(call: SystemCall, input: Input): readonly CalledParam[] {
  if ((input.group_number ?? 1) !== 1) return [];
  const isWanted = nameTest(unnumbered(input.procedure_name), false);
  const isSchema = nameTest(input.procedure_schema || null, false);
  return [...calledParams(call, isWanted, isSchema, nameTest(input.parameter_name, false))];
}

const longCharacters = 2 ** 31 - 1;

/** The length in characters; 0 means max. */
function characters(type: AnyType): number | null {
  if (type.name === 'ntext') return (longCharacters - 1) / 2;
  if (type.name === 'text' || type.name === 'image') return longCharacters;
  const { family } = typeFacts[type.name];
  return family === 'text' || family === 'bytes' ? (declaredLength(type) ?? 0) : null;
}

const numeric = new Set(['integer', 'decimal', 'money', 'float']);
const precisionOf = (type: AnyType) => (numeric.has(typeFacts[type.name].family) ? type.precision : null);
const scaleOf = (type: AnyType) => (typeFacts[type.name].family === 'decimal' ? type.scale : null);

const rowset = {
  PROCEDURE_CATALOG: sysname,
  PROCEDURE_SCHEMA: sysname,
  PROCEDURE_NAME: nvarchar(134),
  PARAMETER_NAME: sysname,
  ORDINAL_POSITION: smallint,
  PARAMETER_TYPE: smallint,
  PARAMETER_HASDEFAULT: bit,
  PARAMETER_DEFAULT: orNull(nvarchar(4000)),
  IS_NULLABLE: bit,
  DATA_TYPE: smallint,
  CHARACTER_MAXIMUM_LENGTH: orNull(int),
  CHARACTER_OCTET_LENGTH: orNull(int),
  NUMERIC_PRECISION: orNull(smallint),
  NUMERIC_SCALE: orNull(smallint),
  DESCRIPTION: orNull(nvarchar(1)),
  TYPE_NAME: sysname,
  LOCAL_TYPE_NAME: sysname,
} satisfies Columns;

const rowsetRow = (
  { of, name, type, ordinal, direction, byDefault, nullable }: CalledParam,
  database: string,
): Row<typeof rowset> => {
  const octets = characters(type);
  return {
    PROCEDURE_CATALOG: database,
    PROCEDURE_SCHEMA: of.schema,
    PROCEDURE_NAME: `${of.name};1`,
    PARAMETER_NAME: name,
    ORDINAL_POSITION: ordinal,
    PARAMETER_TYPE: directions[direction],
    PARAMETER_HASDEFAULT: byDefault !== undefined,
    PARAMETER_DEFAULT: byDefault ?? null,
    IS_NULLABLE: nullable,
    DATA_TYPE: typeFacts[type.name].oledb,
    CHARACTER_MAXIMUM_LENGTH: octets,
    CHARACTER_OCTET_LENGTH: octets === null ? null : type.name.startsWith('n') ? octets * 2 : octets,
    NUMERIC_PRECISION: precisionOf(type),
    NUMERIC_SCALE: scaleOf(type),
    DESCRIPTION: null,
    TYPE_NAME: nameOfType(type),
    LOCAL_TYPE_NAME: nameOfType(type),
  };
};

/** sp_procedure_params_rowset: OLE DB's PROCEDURE_PARAMETERS. */
export const spProcedureParamsRowset = systemProcedure({
  name: 'sp_procedure_params_rowset',
  aliases: ['sp_procedure_params_90_rowset', 'sp_procedure_params_100_rowset'],
  section: systemSection,
  summary: 'Lists the parameters of a procedure for OLE DB.',
  access: 'none',
  params,
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { parameters: rowset } } },
  handle: (call, input) => ({
    outcome: 'listed',
    sets: { parameters: entries(call, input).map((entry) => rowsetRow(entry, call.database)) },
  }),
});

const xmlColumns = {
  XML_CATALOGNAME: orNull(sysname),
  XML_SCHEMANAME: orNull(sysname),
  XML_SCHEMACOLLECTIONNAME: orNull(sysname),
} satisfies Columns;
const untypedXml = { XML_CATALOGNAME: null, XML_SCHEMANAME: null, XML_SCHEMACOLLECTIONNAME: null };

/** sp_procedure_params_managed: what DeriveParameters of ADO.NET asks a server of 2005. */
export const spProcedureParamsManaged = systemProcedure({
  name: 'sp_procedure_params_managed',
  aliases: ['sp_procedure_params_90_managed'],
  section: systemSection,
  summary: 'Lists the parameters of a procedure for ADO.NET.',
  access: 'none',
  params,
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: {
        parameters: {
          ...rowset,
          ...xmlColumns,
          UDT_CATALOG: orNull(sysname),
          UDT_SCHEMA: orNull(sysname),
          UDT_NAME: orNull(sysname),
        },
      },
    },
  },
  handle: (call, input) => ({
    outcome: 'listed',
    sets: {
      parameters: entries(call, input).map((entry) => ({
        ...rowsetRow(entry, call.database),
        ...untypedXml,
        UDT_CATALOG: null,
        UDT_SCHEMA: null,
        UDT_NAME: null,
      })),
    },
  }),
});

/** sp_procedure_params_100_managed: what DeriveParameters of ADO.NET asks a server of 2008 and later. */
export const spProcedureParams100Managed = systemProcedure({
  name: 'sp_procedure_params_100_managed',
  section: systemSection,
  summary: 'Lists the parameters of a procedure for ADO.NET, with the types of SQL Server 2008.',
  access: 'none',
  params,
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: {
        parameters: {
          PARAMETER_NAME: sysname,
          PARAMETER_TYPE: smallint,
          MANAGED_DATA_TYPE: smallint,
          CHARACTER_MAXIMUM_LENGTH: orNull(int),
          NUMERIC_PRECISION: orNull(smallint),
          NUMERIC_SCALE: orNull(smallint),
          TYPE_CATALOG_NAME: orNull(sysname),
          TYPE_SCHEMA_NAME: orNull(sysname),
          TYPE_NAME: sysname,
          ...xmlColumns,
          SS_DATETIME_PRECISION: orNull(int),
        },
      },
    },
  },
  handle: (call, input) => ({
    outcome: 'listed',
    sets: {
      parameters: entries(call, input).map(({ name, type, direction }) => ({
        PARAMETER_NAME: name,
        PARAMETER_TYPE: directions[direction],
        MANAGED_DATA_TYPE: typeFacts[type.name].clr,
        CHARACTER_MAXIMUM_LENGTH: characters(type),
        NUMERIC_PRECISION: precisionOf(type),
        NUMERIC_SCALE: scaleOf(type),
        TYPE_CATALOG_NAME: schemaOfType(type) && call.database,
        TYPE_SCHEMA_NAME: schemaOfType(type),
        TYPE_NAME: nameOfType(type),
        ...untypedXml,
        SS_DATETIME_PRECISION: typeFacts[type.name].family === 'moment' ? type.scale : null,
      })),
    },
  }),
});
