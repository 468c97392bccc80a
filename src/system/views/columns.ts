import { fold } from '../../base/text/collation.ts';
import type { Param } from '../../procedure/param.ts';
import { defaultIdOf } from '../../procedure/relations/default-name.ts';
import type { ClientType } from '../../procedure/relations/tsql-view.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { int, type TypedValue } from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { isTableType, type TableType } from '../../tds/types/table-type.ts';
import { typeIds } from '../../tds/types/type-ids.ts';
import { type CatalogProcedure, type CatalogRelation, catalogOf, schemasOf, temporaryEntry } from '../catalog.ts';
import { collationOf } from '../collation-of.ts';
import { listedTypes, userTypeOf } from '../datatype-info.ts';
import { isoColumnRow, isoParameterRow } from '../iso-type.ts';
import { declaredLength } from '../measures.ts';
import { typeFacts } from '../type-facts.ts';
import { ownRelations } from './objects.ts';
import type { Given, RowsByView } from './rows.ts';

const ownProcedures = (call: SystemCall): readonly CatalogProcedure[] =>
  catalogOf(call).procedures.filter(({ system }) => !system);

function typeRow(type: AnyType): Given {
  const { id } = typeFacts[type.name];
  const { maxLength: max_length, precision, scale } = type;
  return { system_type_id: id, user_type_id: id, max_length, precision, scale };
}

const columnRows = (of: CatalogRelation): Given[] =>
  of.columns.map(({ name, type, nullable, identity, byDefault, defaultName, isComputed = false, computed }, at) => ({
    object_id: of.id,
    name,
    column_id: at + 1,
    ...typeRow(type),
    collation_name: collationOf(type),
    is_nullable: nullable,
    is_identity: identity !== undefined,
    is_computed: isComputed,
    ...(computed === undefined ? {} : { definition: computed.definition, is_persisted: computed.isPersisted }),
    default_object_id: defaultIdOf(of, { name, byDefault, defaultName }),
  }));

/**
 * In SQL Server, sys.columns also has the columns of the system's base tables; in master and the other system
 * databases, the views take their place.
 */
const listed = (call: SystemCall): readonly CatalogRelation[] =>
  call.kind === 'system' ? catalogOf(call).relations : ownRelations(call);

/** What has the columns of table types. */
const typeTables = (call: SystemCall): CatalogRelation[] => tableTypes(call).map(({ table }) => temporaryEntry(table));

async function identityRows(call: SystemCall): Promise<Given[]> {
  const rows: Given[] = [];
  for (const of of ownRelations(call)) {
    const at = of.columns.findIndex(({ identity }) => identity !== undefined);
    const { identity, type } = of.columns[at] ?? {};
    if (identity === undefined || type === undefined) continue;
    const value = (number: bigint | null) => {
      if (number === null) return null;
      return type.name === 'bigint' ? { type, value: number } : { type: int, value: Number(number) };
    };
    rows.push({
      ...columnRows(of)[at],
      seed_value: value(identity.seed),
      increment_value: value(identity.increment),
      last_value: value(await of.lastNumber(call.db)),
    });
  }
  return rows;
}

function userTypeId({ typeName: { schema = 'dbo', name } }: TableType, call: SystemCall): number | null {
  const isIt = ({ table }: ClientType) => fold(table.schema) === fold(schema) && fold(table.name) === fold(name);
  return tableTypes(call).find(isIt)?.id ?? null;
}

/** A default as a sql_variant, which can contain neither NULL nor a max type. */
const defaultOf = ({ type, default: value }: Param): TypedValue | null =>
  value === null || value === undefined || type.maxLength < 0 ? null : { type, value };

const parameterRows =
  (call: SystemCall) =>
  ({ id, declared, params }: CatalogProcedure): Given[] =>
    params.map(({ name, ordinal, type, output, byDefault, nullable }) => ({
      object_id: id,
      name,
      parameter_id: ordinal,
      ...typeRow(type),
      ...(isTableType(type) ? { user_type_id: userTypeId(type, call), is_readonly: true } : {}),
      is_output: output,
      has_default_value: byDefault !== undefined,
      default_value: declared === undefined ? null : defaultOf(declared.params[name.slice(1)]),
      is_nullable: nullable,
    }));

/** The digits or characters of a type; NULL for the ones that have neither. */
const precisionOf = (type: AnyType): number | null =>
  typeFacts[type.name].family === 'text' ? (declaredLength(type) ?? -1) : type.precision || null;

interface OldColumn {
  readonly name: string;
  readonly type: AnyType;
  readonly nullable: boolean;
  readonly output?: boolean;
  readonly isComputed?: boolean;
}

/** A column or a parameter as SQL Server 2000 listed it: `number` is 1 for a parameter. */
function oldColumn(id: number, ordinal: number, number: number, column: OldColumn): Given {
  const { name, type, nullable, output = false, isComputed = false } = column;
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
    number,
    colorder: ordinal,
    status: (nullable ? 8 : 0) | (output ? 64 : 0),
    type: facts.ss[nullable ? 0 : 1],
    usertype: facts.usertype,
    prec: precisionOf(type),
    scale: facts.family === 'text' ? null : type.scale,
    iscomputed: Number(isComputed),
    isoutparam: Number(output),
    isnullable: Number(nullable),
    collation: collationOf(type),
  };
}

function* oldColumns(call: SystemCall): Generator<Given> {
  for (const { id, columns } of ownRelations(call))
    yield* columns.map((column, at) => oldColumn(id, at + 1, 0, column));
  for (const { id, params } of ownProcedures(call))
    yield* params.map((param) => oldColumn(id, param.ordinal, 1, { ...param, nullable: true }));
}

/** Types of .NET assemblies: in every SQL Server's list, and in none of Granary's tables. */
const assemblyTypes = [
  { name: 'hierarchyid', user_type_id: 128, max_length: 892 },
  { name: 'geometry', user_type_id: 129, max_length: -1 },
  { name: 'geography', user_type_id: 130, max_length: -1 },
].map((type) => ({
  ...type,
  system_type_id: 240,
  precision: 0,
  scale: 0,
  is_nullable: true,
  is_assembly_type: true,
}));

const propertyRows = (of: CatalogRelation): Given[] =>
  [{ properties: of.properties }, ...of.columns].flatMap(({ properties = [] }, at) =>
    properties.map(({ name, value }) => ({
      class: 1,
      class_desc: 'OBJECT_OR_COLUMN',
      major_id: of.id,
      minor_id: at,
      name,
      value: value.value === null ? null : value,
    })),
  );

/** The table types that clients made: in tempdb alone. */
const tableTypes = ({ database, tsql }: SystemCall): readonly ClientType[] =>
  fold(database) === 'tempdb' ? [...tsql.clientTypes()] : [];

const tableTypeRows = (call: SystemCall): Given[] =>
  tableTypes(call).map(({ id, table }) => ({
    name: table.name,
    system_type_id: typeIds['table type'],
    user_type_id: id,
    schema_id: schemasOf(call).get(table.schema) ?? 1,
    max_length: -1,
    precision: 0,
    scale: 0,
    is_nullable: false,
    is_user_defined: true,
    is_table_type: true,
    type_table_object_id: table.objectId,
  }));

const typeRows = (call: SystemCall): Given[] => [
  ...listedTypes.map((each) => ({
    name: each.name,
    ...typeRow(each.type),
    user_type_id: userTypeOf(each),
    scale: each.scales?.[1] ?? each.type.scale,
    collation_name: collationOf(each.type),
    is_nullable: each.nullable,
  })),
  ...assemblyTypes,
  ...tableTypeRows(call),
];

const oldTypes = (): Given[] =>
  listedTypes.map((each) => {
    const { type } = each;
    const facts = typeFacts[type.name];
    const scale = each.scales?.[1] ?? type.scale;
    return {
      name: each.name,
      xtype: facts.id,
      xusertype: userTypeOf(each),
      length: type.maxLength,
      xprec: type.precision,
      xscale: scale,
      usertype: each.usertype ?? facts.usertype,
      variable: /^n?var/.test(type.name),
      allownulls: each.nullable,
      type: facts.ss[1],
      prec: precisionOf(type),
      scale: facts.family === 'text' ? null : scale,
      collation: collationOf(type),
    };
  });

const isoRoutine = ({ database }: SystemCall, { schema, name }: CatalogProcedure, prefix: string): Given => ({
  [`${prefix}_CATALOG`]: database,
  [`${prefix}_SCHEMA`]: schema,
  [`${prefix}_NAME`]: name,
});

/** The views of columns, parameters and types. */
export const columnRowsByView: RowsByView = {
  'sys.columns': (call) => [...listed(call), ...typeTables(call)].values().flatMap(columnRows),
  'sys.extended_properties': (call) => ownRelations(call).values().flatMap(propertyRows),
  'sys.all_columns': (call) => [...catalogOf(call).relations, ...typeTables(call)].values().flatMap(columnRows),
  'sys.system_columns': (call) =>
    catalogOf(call)
      .relations.filter(({ system }) => system)
      .flatMap(columnRows),
  'sys.identity_columns': identityRows,
  'sys.computed_columns': (call) =>
    ownRelations(call)
      .values()
      .flatMap((of) => columnRows(of).filter(({ is_computed }) => is_computed === true)),
  'sys.parameters': (call) => ownProcedures(call).values().flatMap(parameterRows(call)),
  'sys.all_parameters': (call) => catalogOf(call).procedures.values().flatMap(parameterRows(call)),
  'sys.system_parameters': (call) =>
    catalogOf(call)
      .procedures.filter(({ system }) => system)
      .flatMap(parameterRows(call)),
  'sys.types': typeRows,
  'sys.table_types': tableTypeRows,
  'sys.systypes': oldTypes,
  'sys.syscolumns': oldColumns,
  'INFORMATION_SCHEMA.COLUMNS': (call) =>
    ownRelations(call)
      .values()
      .flatMap((of) => of.columns.map((column, at) => isoColumnRow(call, of, column, at + 1))),
  'INFORMATION_SCHEMA.PARAMETERS': (call) =>
    ownProcedures(call)
      .values()
      .flatMap((of) => of.params.map((param) => ({ ...isoRoutine(call, of, 'SPECIFIC'), ...isoParameterRow(param) }))),
};
