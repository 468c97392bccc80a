import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import type { Param } from '../../procedure/param.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bit, int, nvarchar, sqlVariant, type TypedValue } from '../../tds/types/index.ts';
import { type CatalogProcedure, catalogOf } from '../catalog.ts';
import { sysname } from '../names.ts';
import { typeColumns, typeRow } from './typed.ts';
import { constant, view } from './view.ts';

const encryption = constant({
  encryption_type: [orNull(int), null],
  encryption_type_desc: [orNull(nvarchar(64)), null],
  encryption_algorithm_name: [orNull(sysname), null],
  column_encryption_key_id: [orNull(int), null],
  column_encryption_key_database_name: [orNull(sysname), null],
});

const columns = {
  object_id: int,
  name: orNull(sysname),
  parameter_id: int,
  ...typeColumns,
  is_output: bit,
  is_cursor_ref: bit,
  has_default_value: bit,
  is_xml_document: bit,
  default_value: orNull(sqlVariant),
  xml_collection_id: int,
  is_readonly: bit,
  is_nullable: orNull(bit),
  ...encryption.columns,
} satisfies Columns;

/** A default as a sql_variant, which holds neither NULL nor a max type. */
function defaultOf({ type, default: value }: Param): TypedValue | null {
  return value === null || value === undefined || type.maxLength < 0 ? null : { type, value };
}

const rowsOf = ({ id, declared, params }: CatalogProcedure): Row<typeof columns>[] =>
  params.map(({ name, ordinal, type, output, byDefault, nullable }) => ({
    object_id: id,
    name,
    parameter_id: ordinal,
    ...typeRow(type),
    is_output: output,
    is_cursor_ref: false,
    has_default_value: byDefault !== undefined,
    is_xml_document: false,
    default_value: declared === undefined ? null : defaultOf(declared.params[name.slice(1)]),
    xml_collection_id: 0,
    is_readonly: false,
    is_nullable: nullable,
    ...encryption.values,
  }));

const parameters = (system: boolean) => (call: SystemCall) =>
  catalogOf(call)
    .procedures.filter((of) => system || !of.system)
    .flatMap(rowsOf);

/** The parameters of the database's own procedures. */
export const sysParameters = view('sys', 'parameters', columns, parameters(false));
/** The parameters of all procedures. */
export const sysAllParameters = view('sys', 'all_parameters', columns, parameters(true));
/** The parameters of the system's own procedures. */
export const sysSystemParameters = view('sys', 'system_parameters', columns, (call) =>
  catalogOf(call)
    .procedures.filter(({ system }) => system)
    .flatMap(rowsOf),
);
