import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bit, int, nvarchar, tinyint } from '../../tds/types/index.ts';
import { type CatalogRelation, catalogOf } from '../catalog.ts';
import { defaultIdOf } from '../default-name.ts';
import { sysname } from '../names.ts';
import { collationColumn, collationOf, typeColumns, typeRow, untypedXml, xmlColumns } from './typed.ts';
import { constant, view } from './view.ts';

const flags = constant({
  is_ansi_padded: [bit, true],
  is_rowguidcol: [bit, false],
  is_identity: [bit, false],
  is_computed: [bit, false],
  is_filestream: [bit, false],
  is_replicated: [bit, false],
  is_non_sql_subscribed: [bit, false],
  is_merge_published: [bit, false],
  is_dts_replicated: [bit, false],
});

const rest = constant({
  default_object_id: [int, 0],
  rule_object_id: [int, 0],
  is_sparse: [bit, false],
  is_column_set: [bit, false],
  generated_always_type: [orNull(tinyint), 0],
  generated_always_type_desc: [orNull(nvarchar(60)), 'NOT_APPLICABLE'],
  encryption_type: [orNull(int), null],
  encryption_type_desc: [orNull(nvarchar(64)), null],
  encryption_algorithm_name: [orNull(sysname), null],
  column_encryption_key_id: [orNull(int), null],
  column_encryption_key_database_name: [orNull(sysname), null],
  is_hidden: [bit, false],
  is_masked: [bit, false],
});

/** The columns that sys.columns and its kin have. */
export const columns = {
  object_id: int,
  name: orNull(sysname),
  column_id: int,
  ...typeColumns,
  ...collationColumn,
  is_nullable: orNull(bit),
  ...flags.columns,
  ...xmlColumns,
  ...rest.columns,
} satisfies Columns;

/** The columns of a table or view as sys.columns lists them. */
export const columnRows = (of: CatalogRelation): Row<typeof columns>[] =>
  of.columns.map(({ name, type, nullable, identity, byDefault, isComputed = false }, at) => ({
    object_id: of.id,
    name,
    column_id: at + 1,
    ...typeRow(type),
    collation_name: collationOf(type),
    is_nullable: nullable,
    ...flags.values,
    is_identity: identity !== undefined,
    is_computed: isComputed,
    ...untypedXml,
    ...rest.values,
    default_object_id: defaultIdOf(of, { name, byDefault }),
  }));

/** In SQL Server sys.columns has the columns of the system's base tables too; in master and its kin the views stand in. */
const hasOnlySystem = ({ kind }: SystemCall): boolean => kind === 'system';

const columnsOf = (system: boolean) => (call: SystemCall) =>
  catalogOf(call)
    .relations.filter((of) => system || !of.system || hasOnlySystem(call))
    .flatMap(columnRows);

/** The columns of the database's own tables and views; master and its kin have only those of the system. */
export const sysColumns = view('sys', 'columns', columns, columnsOf(false));
/** The columns of all tables and views. */
export const sysAllColumns = view('sys', 'all_columns', columns, columnsOf(true));
/** The columns of the system's own views. */
export const sysSystemColumns = view('sys', 'system_columns', columns, (call) =>
  catalogOf(call)
    .relations.filter(({ system }) => system)
    .flatMap(columnRows),
);
