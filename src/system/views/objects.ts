import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import { objectId } from '../../procedure/describe.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bit, char, datetime, int, nvarchar, tinyint } from '../../tds/types/index.ts';
import { type CatalogProcedure, type CatalogRelation, catalogOf, created, schemasOf } from '../catalog.ts';
import { indexesOf } from '../indexes.ts';
import { sysname } from '../names.ts';
import { constant, view } from './view.ts';

/** The columns that every view of objects begins with. */
export const objectColumns = {
  name: sysname,
  object_id: int,
  principal_id: orNull(int),
  schema_id: int,
  parent_object_id: int,
  type: char(2),
  type_desc: orNull(nvarchar(60)),
  create_date: datetime,
  modify_date: datetime,
  is_ms_shipped: bit,
  is_published: bit,
  is_schema_published: bit,
} satisfies Columns;

type ObjectRow = Row<typeof objectColumns>;

const types = {
  procedure: { type: 'P', type_desc: 'SQL_STORED_PROCEDURE' },
  table: { type: 'U', type_desc: 'USER_TABLE' },
  view: { type: 'V', type_desc: 'VIEW' },
};

const kindOf = (of: CatalogProcedure | CatalogRelation): keyof typeof types => ('params' in of ? 'procedure' : of.type);

/** An object as sys.objects lists it. */
export const objectRow = (
  of: CatalogProcedure | CatalogRelation,
  since: Date,
  schemas: ReadonlyMap<string, number>,
): ObjectRow => ({
  name: of.name,
  object_id: of.id,
  principal_id: null,
  schema_id: schemas.get(of.schema) ?? 1,
  parent_object_id: 0,
  ...types[kindOf(of)],
  create_date: since,
  modify_date: since,
  is_ms_shipped: of.system,
  is_published: false,
  is_schema_published: false,
});

/** The objects of a database as sys.objects lists them; SQL Server's own are only in the views named "all". */
async function objects(
  call: SystemCall,
  { system, only }: { readonly system: boolean; readonly only?: keyof typeof types },
): Promise<{ readonly of: CatalogProcedure | CatalogRelation; readonly row: ObjectRow }[]> {
  const since = await created(call);
  const { procedures, relations } = catalogOf(call);
  const schemas = schemasOf(call);
  return [...procedures, ...relations]
    .filter((of) => (system || !of.system) && (only === undefined || kindOf(of) === only))
    .map((of) => ({ of, row: objectRow(of, since, schemas) }));
}

const rowsOf = async (call: SystemCall, wanted: Parameters<typeof objects>[1]): Promise<ObjectRow[]> =>
  (await objects(call, wanted)).map(({ row }) => row);

/** What the database itself has: procedures, tables, views. */
export const sysObjects = view('sys', 'objects', objectColumns, (call) => rowsOf(call, { system: false }));
/** What the database has, with SQL Server's own. */
export const sysAllObjects = view('sys', 'all_objects', objectColumns, (call) => rowsOf(call, { system: true }));

/** SQL Server's own alone. */
export const sysSystemObjects = view('sys', 'system_objects', objectColumns, async (call) =>
  (await rowsOf(call, { system: true })).filter(({ is_ms_shipped }) => is_ms_shipped),
);

const procedureFlags = constant({
  is_auto_executed: [bit, false],
  is_execution_replicated: [bit, false],
  is_repl_serializable_only: [bit, false],
  skips_repl_constraints: [bit, false],
});

/** The procedures of the database. */
export const sysProcedures = view('sys', 'procedures', { ...objectColumns, ...procedureFlags.columns }, async (call) =>
  (await rowsOf(call, { system: false, only: 'procedure' })).map((row) => ({ ...row, ...procedureFlags.values })),
);

const tableFacts = constant({
  lock_on_bulk_load: [bit, false],
  uses_ansi_nulls: [orNull(bit), true],
  is_replicated: [orNull(bit), false],
  has_replication_filter: [orNull(bit), false],
  is_merge_published: [orNull(bit), false],
  is_sync_tran_subscribed: [orNull(bit), false],
  has_unchecked_assembly_data: [bit, false],
  text_in_row_limit: [orNull(int), 0],
  large_value_types_out_of_row: [orNull(bit), false],
  is_tracked_by_cdc: [orNull(bit), false],
  lock_escalation: [orNull(tinyint), 0],
  lock_escalation_desc: [orNull(nvarchar(60)), 'TABLE'],
  is_filetable: [orNull(bit), false],
  is_memory_optimized: [orNull(bit), false],
  durability: [orNull(tinyint), 0],
  durability_desc: [orNull(nvarchar(60)), 'SCHEMA_AND_DATA'],
  temporal_type: [orNull(tinyint), 0],
  temporal_type_desc: [orNull(nvarchar(60)), 'NON_TEMPORAL_TABLE'],
  history_table_id: [orNull(int), null],
  is_remote_data_archive_enabled: [orNull(bit), false],
  is_external: [bit, false],
});

/** The tables that clients may read. */
export const sysTables = view(
  'sys',
  'tables',
  {
    ...objectColumns,
    lob_data_space_id: int,
    filestream_data_space_id: orNull(int),
    max_column_id_used: int,
    ...tableFacts.columns,
  },
  async (call) =>
    (await objects(call, { system: false, only: 'table' })).map(({ of, row }) => ({
      ...row,
      lob_data_space_id: 0,
      filestream_data_space_id: null,
      max_column_id_used: 'columns' in of ? of.columns.length : 0,
      ...tableFacts.values,
    })),
);

const viewFlags = constant({
  is_replicated: [bit, false],
  has_replication_filter: [bit, false],
  has_opaque_metadata: [bit, false],
  has_unchecked_assembly_data: [bit, false],
  with_check_option: [bit, false],
  is_date_correlation_view: [bit, false],
});
const viewRows = (system: boolean) => async (call: SystemCall) =>
  (await rowsOf(call, { system, only: 'view' })).map((row) => ({ ...row, ...viewFlags.values }));

/** The views of the database itself. */
export const sysViews = view('sys', 'views', { ...objectColumns, ...viewFlags.columns }, viewRows(false));
/** The views of the database, with SQL Server's own. */
export const sysAllViews = view('sys', 'all_views', { ...objectColumns, ...viewFlags.columns }, viewRows(true));

/** SQL Server's own views alone. */
export const sysSystemViews = view('sys', 'system_views', { ...objectColumns, ...viewFlags.columns }, async (call) =>
  (await viewRows(true)(call)).filter(({ is_ms_shipped }) => is_ms_shipped),
);

const keyTypes = {
  'PRIMARY KEY': { type: 'PK', type_desc: 'PRIMARY_KEY_CONSTRAINT' },
  'UNIQUE KEY': { type: 'UQ', type_desc: 'UNIQUE_CONSTRAINT' },
};

/** The keys of clients' tables; those of the tables underneath a database's own are nobody's business. */
export const sysKeyConstraints = view(
  'sys',
  'key_constraints',
  { ...objectColumns, unique_index_id: orNull(int), is_system_named: bit },
  async (call) => {
    const since = await created(call);
    const schemas = schemasOf(call);
    return catalogOf(call).relations.flatMap((of) =>
      indexesOf(of).flatMap(({ id, key }) => {
        if (key === undefined || key.kind === 'index') return [];
        return {
          ...objectRow(of, since, schemas),
          name: key.name,
          object_id: objectId(of.schema, key.name),
          parent_object_id: of.id,
          ...keyTypes[key.kind],
          unique_index_id: id,
          is_system_named: /__[0-9A-F]{16}$/.test(key.name),
        };
      }),
    );
  },
);

const moduleFlags = constant({
  uses_ansi_nulls: [orNull(bit), true],
  uses_quoted_identifier: [orNull(bit), true],
  is_schema_bound: [orNull(bit), false],
  uses_database_collation: [orNull(bit), false],
  is_recompiled: [orNull(bit), false],
  null_on_null_input: [orNull(bit), false],
  execute_as_principal_id: [orNull(int), null],
  uses_native_compilation: [orNull(bit), false],
});

/** The procedures of the database as T-SQL would declare them. */
export const sysSqlModules = view(
  'sys',
  'sql_modules',
  {
    object_id: int,
    definition: orNull(nvarchar('max')),
    ...moduleFlags.columns,
  },
  (call) =>
    catalogOf(call)
      .procedures.filter(({ system }) => !system)
      .map(({ id, definition }) => ({
        object_id: id,
        definition: definition(),
        ...moduleFlags.values,
      })),
);

/** Indexes are on the tables underneath, which clients do not see. */
export const sysIndexes = view(
  'sys',
  'indexes',
  {
    object_id: int,
    name: orNull(sysname),
    index_id: int,
    type: tinyint,
    type_desc: orNull(nvarchar(60)),
    is_unique: orNull(bit),
    data_space_id: orNull(int),
    ignore_dup_key: orNull(bit),
    is_primary_key: orNull(bit),
    is_unique_constraint: orNull(bit),
    fill_factor: tinyint,
    is_padded: orNull(bit),
    is_disabled: orNull(bit),
    is_hypothetical: orNull(bit),
    allow_row_locks: orNull(bit),
    allow_page_locks: orNull(bit),
    has_filter: orNull(bit),
    filter_definition: orNull(nvarchar('max')),
  },
  (call) =>
    catalogOf(call).relations.flatMap((of) =>
      indexesOf(of).map(({ id, key }) => ({
        object_id: of.id,
        name: key?.name ?? null,
        index_id: id,
        type: Math.min(id, 2),
        type_desc: ['HEAP', 'CLUSTERED', 'NONCLUSTERED'][Math.min(id, 2)] ?? null,
        is_unique: key?.isUnique ?? false,
        data_space_id: 1,
        ignore_dup_key: key?.ignoresDuplicates ?? false,
        is_primary_key: key?.kind === 'PRIMARY KEY',
        is_unique_constraint: key?.kind === 'UNIQUE KEY',
        fill_factor: 0,
        is_padded: false,
        is_disabled: false,
        is_hypothetical: false,
        allow_row_locks: true,
        allow_page_locks: true,
        has_filter: false,
        filter_definition: null,
      })),
    ),
);
