import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { inTurns } from '../../base/threads/steps.ts';
import { Turn } from '../../base/threads/turn.ts';
import { type AnyProcedure, type Outcome, systemProcedure } from '../../procedure/declare.ts';
import { type ParamDescription, systemSection } from '../../procedure/describe.ts';
import { optional, required } from '../../procedure/param.ts';
import { columnsOf } from '../../procedure/relations/columns-of.ts';
import type { DescribedColumn } from '../../procedure/relations/tsql-view.ts';
import type { Column } from '../../procedure/run/sink.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { parameterSteps } from '../../syntax/parser/parse.ts';
import { int, nvarchar, tinyint } from '../../tds/types/index.ts';
import { type CatalogProcedure, catalogOf } from '../catalog.ts';
import { readColumns } from '../catalog-text.ts';
import { collationOf } from '../collation-of.ts';
import { type ExecCall, readExec } from '../exec-call.ts';
import { filled } from '../filled.ts';
import { tdsCollation, tdsForm } from '../tds-form.ts';
import { typeFacts } from '../type-facts.ts';
import type { Given } from '../views/rows.ts';

/** A procedure whose result sets are declared. */
type Declared = CatalogProcedure & { readonly declared: AnyProcedure };

/** The call of a declared procedure that a batch consists of; undefined for any other batch. */
async function callOf(
  call: SystemCall,
  batch: string,
): Promise<{ readonly exec: ExecCall; readonly of: Declared } | undefined> {
  const exec = await inTurns(readExec(batch), new Turn(call.signal));
  if (!exec) return undefined;
  const name = exec.procedure;
  if (name.database && fold(name.database) !== fold(call.database)) return undefined;
  const of = catalogOf(call).procedures.find(
    (each) => fold(each.name) === fold(name.name) && (!name.schema || fold(each.schema) === fold(name.schema)),
  );
  if (!of) throw sqlError(2812, name.schema ? `${name.schema}.${name.name}` : name.name);
  const { declared } = of;
  // The interpreter describes what a client's own procedure sends.
  return declared && { exec, of: { ...of, declared } };
}

/** The columns of the first result set that a procedure can send; none if it sends no rows. */
function firstSet({ declared: { outcomes } }: Declared): readonly Column[] {
  const all: readonly Outcome[] = Object.values(outcomes);
  const [first] = all.flatMap(({ sets }) => Object.values(sets ?? {}));
  return first ? columnsOf(first) : [];
}

const described = readColumns(`
  is_hidden bit 0, column_ordinal int, name sysname?, is_nullable bit, system_type_id int, system_type_name nvarchar(256)?,
  max_length smallint, precision tinyint, scale tinyint, collation_name sysname?, user_type_id int?, user_type_database sysname?,
  user_type_schema sysname?, user_type_name sysname?, assembly_qualified_type_name nvarchar(4000)?, xml_collection_id int?,
  xml_collection_database sysname?, xml_collection_schema sysname?, xml_collection_name sysname?, is_xml_document bit 0,
  is_case_sensitive bit 0, is_fixed_length_clr_type bit 0, source_server sysname?, source_database sysname?, source_schema sysname?,
  source_table sysname?, source_column sysname?, is_identity_column bit? 0, is_part_of_unique_key bit?, is_updateable bit? 0,
  is_computed_column bit? 0, is_sparse_column_set bit? 0, ordinal_in_order_by_list smallint?, order_by_list_length smallint?,
  order_by_is_descending smallint?, tds_type_id int, tds_length int, tds_collation_id int?, tds_collation_sort_id tinyint?`);

function columnRow(column: DescribedColumn, at: number): Given {
  const { name, type, nullable } = column;
  const collated = collationOf(type) === null ? undefined : tdsCollation;
  return {
    column_ordinal: at + 1,
    name: name || null,
    is_nullable: nullable,
    system_type_id: typeFacts[type.name].id,
    system_type_name: type.declaration,
    max_length: type.maxLength,
    precision: type.precision,
    scale: type.scale,
    collation_name: collationOf(type),
    tds_type_id: tdsForm(type, nullable).id,
    tds_length: tdsForm(type, nullable).length,
    tds_collation_id: collated?.id ?? null,
    tds_collation_sort_id: collated?.sortId ?? null,
    ...updating(column),
  };
}

/** Whether a client may change a column. */
const updating = ({ isIdentity = false, isComputed = false, type, table }: DescribedColumn): Given => ({
  is_identity_column: isIdentity,
  is_computed_column: isComputed,
  is_updateable: table !== undefined && !isIdentity && !isComputed && type.name !== 'timestamp',
});

/** What browse mode tells of a column in addition. */
function browsed({ origin, isHidden = false }: DescribedColumn, database: string): Given {
  if (origin === undefined) return { is_part_of_unique_key: false };
  const { table, column, isKey } = origin;
  return {
    is_hidden: isHidden,
    source_database: table.database ?? (table.name.startsWith('#') ? 'tempdb' : database),
    source_schema: table.schema ?? 'dbo',
    source_table: table.name,
    source_column: column,
    is_part_of_unique_key: isKey,
  };
}

const batch = required(nvarchar('max'), 'A batch.');
const declared = optional(nvarchar('max'), null, 'The declarations of its parameters.');

/** sp_describe_first_result_set: the columns that a call will send first. */
export const spDescribeFirstResultSet = systemProcedure({
  name: 'sp_describe_first_result_set',
  section: systemSection,
  summary: 'Lists the columns of the first result set of a call.',
  access: 'none',
  params: {
    tsql: batch,
    params: declared,
    browse_information_mode: optional(tinyint, 0, 'Whether the origins of columns are wanted, and hidden key columns.'),
  },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { columns: described.columns } } },
  async handle(call, { tsql, params, browse_information_mode: mode }) {
    const called = await callOf(call, tsql);
    const isBrowsed = mode !== null && mode > 0;
    const found = called ? firstSet(called.of) : await call.tsql.columns(tsql, params ?? '', isBrowsed);
    const rows = found.map((column, at) => ({
      ...columnRow(column, at),
      ...(isBrowsed ? browsed(column, call.database) : {}),
    }));
    return { outcome: 'listed', sets: { columns: filled(described, rows) } };
  },
});

const suggested = readColumns(`
  parameter_ordinal int, name sysname, suggested_system_type_id int, suggested_system_type_name nvarchar(256)?,
  suggested_max_length smallint, suggested_precision tinyint, suggested_scale tinyint, suggested_user_type_id int?,
  suggested_user_type_database sysname?, suggested_user_type_schema sysname?, suggested_user_type_name sysname?,
  suggested_assembly_qualified_type_name nvarchar(4000)?, suggested_xml_collection_id int?,
  suggested_xml_collection_database sysname?, suggested_xml_collection_schema sysname?, suggested_xml_collection_name sysname?,
  suggested_is_xml_document bit 0, suggested_is_case_sensitive bit 0, suggested_is_fixed_length_clr_type bit 0,
  suggested_is_input bit, suggested_is_output bit, formal_parameter_name sysname?, suggested_tds_type_id int,
  suggested_tds_length int`);

/** An undeclared variable of the batch, and the parameter that determines its type. */
interface Undeclared {
  readonly variable: string;
  readonly formal: { readonly name: string | null; readonly type: ParamDescription['type'] } | undefined;
  readonly input: boolean;
  readonly output: boolean;
}

/** The variables of a batch other than a call: their context determines their types. */
async function undeclaredInBatch(call: SystemCall, tsql: string, declarations: string | null): Promise<Undeclared[]> {
  const found = await call.tsql.undeclared(tsql, declarations ?? '');
  return found.map(({ name, type }) => ({ variable: name, formal: { name: null, type }, input: true, output: false }));
}

async function undeclared(call: SystemCall, tsql: string, declarations: string | null): Promise<Undeclared[]> {
  const called = await callOf(call, tsql);
  if (!called) return undeclaredInBatch(call, tsql, declarations);
  const { exec, of } = called;
  const declared = await inTurns(parameterSteps(declarations ?? ''), new Turn(call.signal));
  const known = new Set(declared.map(({ name }) => fold(name)));
  const result = exec.result ? [{ variable: exec.result, formal: undefined, input: false, output: true }] : [];
  const passed = exec.args.flatMap(({ name, value, output }, at): Undeclared[] => {
    if (value?.kind !== 'variable') return [];
    const variable = value.name;
    const formal = name === undefined ? of.params[at] : of.params.find((param) => fold(param.name) === fold(name));
    if (!formal && !known.has(fold(variable))) throw sqlError(11502, variable);
    return [{ variable, formal, input: true, output }];
  });
  return [...result, ...passed].filter(({ variable }) => !known.has(fold(variable)));
}

function suggestion({ variable, formal, input, output }: Undeclared, at: number): Given {
  const type = formal?.type ?? int; // only a return code has no formal parameter
  return {
    parameter_ordinal: at + 1,
    name: variable,
    suggested_system_type_id: typeFacts[type.name].id,
    suggested_system_type_name: type.declaration,
    suggested_max_length: type.maxLength,
    suggested_precision: type.precision,
    suggested_scale: type.scale,
    suggested_is_input: input,
    suggested_is_output: output,
    formal_parameter_name: formal?.name ?? null,
    suggested_tds_type_id: tdsForm(type).id,
    suggested_tds_length: tdsForm(type).length,
  };
}

/**
 * sp_describe_undeclared_parameters: the types of a call's parameters, for drivers that must know before they bind
 * NULL.
 */
export const spDescribeUndeclaredParameters = systemProcedure({
  name: 'sp_describe_undeclared_parameters',
  section: systemSection,
  summary: 'Lists the types of the parameters that a call leaves undeclared.',
  access: 'none',
  params: { tsql: batch, params: declared },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { parameters: suggested.columns } } },
  async handle(call, { tsql, params }) {
    const found = await undeclared(call, tsql, params);
    return { outcome: 'listed', sets: { parameters: filled(suggested, found.map(suggestion)) } };
  },
});
