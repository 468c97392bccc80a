import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { Row } from '../../base/stored.ts';
import { type AnyProcedure, type Columns, type Outcome, orNull, systemProcedure } from '../../procedure/declare.ts';
import { type ParamDescription, systemSection } from '../../procedure/describe.ts';
import { columnsOf } from '../../procedure/execute.ts';
import { optional, required } from '../../procedure/param.ts';
import type { Column } from '../../procedure/sink.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { parseParameters } from '../../syntax/parser/parse.ts';
import { bit, int, nvarchar, smallint, tinyint } from '../../tds/types/index.ts';
import { type CatalogProcedure, catalogOf } from '../catalog.ts';
import { type ExecCall, readExec } from '../exec-call.ts';
import { sysname } from '../names.ts';
import { tdsCollation, tdsForm } from '../tds-form.ts';
import { typeFacts } from '../type-facts.ts';
import { collationOf } from '../views/typed.ts';
import { constant } from '../views/view.ts';

/** A procedure whose result sets are declared. */
type Declared = CatalogProcedure & { readonly declared: AnyProcedure };

/** The call of a declared procedure that a batch consists of; undefined for any other batch. */
function callOf(call: SystemCall, batch: string): { readonly exec: ExecCall; readonly of: Declared } | undefined {
  const exec = readExec(batch);
  if (!exec) return undefined;
  const name = exec.procedure;
  if (name.database && fold(name.database) !== fold(call.database)) return undefined;
  const of = catalogOf(call).procedures.find(
    (each) => fold(each.name) === fold(name.name) && (!name.schema || fold(each.schema) === fold(name.schema)),
  );
  if (!of) throw sqlError(2812, name.schema ? `${name.schema}.${name.name}` : name.name);
  const { declared } = of;
  // What a client's own procedure sends, the interpreter tells.
  return declared && { exec, of: { ...of, declared } };
}

/** The columns of the first result set that a procedure can send; none where it sends no rows. */
function firstSet({ declared: { outcomes } }: Declared): readonly Column[] {
  const all: readonly Outcome[] = Object.values(outcomes);
  const [first] = all.flatMap(({ sets }) => Object.values(sets ?? {}));
  return first ? columnsOf(first) : [];
}

const noUserType = constant({
  user_type_id: [orNull(int), null],
  user_type_database: [orNull(sysname), null],
  user_type_schema: [orNull(sysname), null],
  user_type_name: [orNull(sysname), null],
  assembly_qualified_type_name: [orNull(nvarchar(4000)), null],
  xml_collection_id: [orNull(int), null],
  xml_collection_database: [orNull(sysname), null],
  xml_collection_schema: [orNull(sysname), null],
  xml_collection_name: [orNull(sysname), null],
  is_xml_document: [bit, false],
  is_case_sensitive: [bit, false],
  is_fixed_length_clr_type: [bit, false],
});
const noSource = constant({
  source_server: [orNull(sysname), null],
  source_database: [orNull(sysname), null],
  source_schema: [orNull(sysname), null],
  source_table: [orNull(sysname), null],
  source_column: [orNull(sysname), null],
  is_identity_column: [orNull(bit), false],
  is_part_of_unique_key: [orNull(bit), null],
  is_updateable: [orNull(bit), false],
  is_computed_column: [orNull(bit), false],
  is_sparse_column_set: [orNull(bit), false],
  ordinal_in_order_by_list: [orNull(smallint), null],
  order_by_list_length: [orNull(smallint), null],
  order_by_is_descending: [orNull(smallint), null],
});

const columns = {
  is_hidden: bit,
  column_ordinal: int,
  name: orNull(sysname),
  is_nullable: bit,
  system_type_id: int,
  system_type_name: orNull(nvarchar(256)),
  max_length: smallint,
  precision: tinyint,
  scale: tinyint,
  collation_name: orNull(sysname),
  ...noUserType.columns,
  ...noSource.columns,
  tds_type_id: int,
  tds_length: int,
  tds_collation_id: orNull(int),
  tds_collation_sort_id: orNull(tinyint),
} satisfies Columns;

function columnRow({ name, type, nullable }: Column, at: number): Row<typeof columns> {
  const collated = collationOf(type) === null ? undefined : tdsCollation;
  return {
    is_hidden: false,
    column_ordinal: at + 1,
    name: name || null,
    is_nullable: nullable,
    system_type_id: typeFacts[type.name].id,
    system_type_name: type.declaration,
    max_length: type.maxLength,
    precision: type.precision,
    scale: type.scale,
    collation_name: collationOf(type),
    ...noUserType.values,
    ...noSource.values,
    tds_type_id: tdsForm(type, nullable).id,
    tds_length: tdsForm(type, nullable).length,
    tds_collation_id: collated?.id ?? null,
    tds_collation_sort_id: collated?.sortId ?? null,
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
    browse_information_mode: optional(tinyint, 0, 'Whether hidden key columns are wanted; there are none.'),
  },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { columns } } },
  async handle(call, { tsql, params }) {
    const called = callOf(call, tsql);
    const found = called ? firstSet(called.of) : await call.tsql.columns(tsql, params ?? '');
    return { outcome: 'listed', sets: { columns: found.map(columnRow) } };
  },
});

const suggestedUserType = constant({
  suggested_user_type_id: [orNull(int), null],
  suggested_user_type_database: [orNull(sysname), null],
  suggested_user_type_schema: [orNull(sysname), null],
  suggested_user_type_name: [orNull(sysname), null],
  suggested_assembly_qualified_type_name: [orNull(nvarchar(4000)), null],
  suggested_xml_collection_id: [orNull(int), null],
  suggested_xml_collection_database: [orNull(sysname), null],
  suggested_xml_collection_schema: [orNull(sysname), null],
  suggested_xml_collection_name: [orNull(sysname), null],
  suggested_is_xml_document: [bit, false],
  suggested_is_case_sensitive: [bit, false],
  suggested_is_fixed_length_clr_type: [bit, false],
});

const suggestions = {
  parameter_ordinal: int,
  name: sysname,
  suggested_system_type_id: int,
  suggested_system_type_name: orNull(nvarchar(256)),
  suggested_max_length: smallint,
  suggested_precision: tinyint,
  suggested_scale: tinyint,
  ...suggestedUserType.columns,
  suggested_is_input: bit,
  suggested_is_output: bit,
  formal_parameter_name: orNull(sysname),
  suggested_tds_type_id: int,
  suggested_tds_length: int,
} satisfies Columns;

/** A variable of the batch that nobody declared, and the parameter that tells its type. */
interface Undeclared {
  readonly variable: string;
  readonly formal: { readonly name: string | null; readonly type: ParamDescription['type'] } | undefined;
  readonly input: boolean;
  readonly output: boolean;
}

/** The variables of a batch that is no call: their places tell their types. */
async function undeclaredInBatch(call: SystemCall, tsql: string, declarations: string | null): Promise<Undeclared[]> {
  const found = await call.tsql.undeclared(tsql, declarations ?? '');
  return found.map(({ name, type }) => ({ variable: name, formal: { name: null, type }, input: true, output: false }));
}

async function undeclared(call: SystemCall, tsql: string, declarations: string | null): Promise<Undeclared[]> {
  const called = callOf(call, tsql);
  if (!called) return undeclaredInBatch(call, tsql, declarations);
  const { exec, of } = called;
  const known = new Set(parseParameters(declarations ?? '').map(({ name }) => fold(name)));
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

function suggestion({ variable, formal, input, output }: Undeclared, at: number): Row<typeof suggestions> {
  const type = formal?.type ?? int; // only a return code has no formal parameter
  return {
    parameter_ordinal: at + 1,
    name: variable,
    suggested_system_type_id: typeFacts[type.name].id,
    suggested_system_type_name: type.declaration,
    suggested_max_length: type.maxLength,
    suggested_precision: type.precision,
    suggested_scale: type.scale,
    ...suggestedUserType.values,
    suggested_is_input: input,
    suggested_is_output: output,
    formal_parameter_name: formal?.name ?? null,
    suggested_tds_type_id: tdsForm(type).id,
    suggested_tds_length: tdsForm(type).length,
  };
}

/** sp_describe_undeclared_parameters: the types of a call's parameters, for drivers that must know before they bind NULL. */
export const spDescribeUndeclaredParameters = systemProcedure({
  name: 'sp_describe_undeclared_parameters',
  section: systemSection,
  summary: 'Lists the types of the parameters that a call leaves undeclared.',
  access: 'none',
  params: { tsql: batch, params: declared },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { parameters: suggestions } } },
  async handle(call, { tsql, params }) {
    const found = await undeclared(call, tsql, params);
    return { outcome: 'listed', sets: { parameters: found.map(suggestion) } };
  },
});
