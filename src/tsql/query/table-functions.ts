import { byName } from '../../base/by-name.ts';
import { allCollations, type Collation } from '../../tds/types/collation-name.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Context } from '../evaluate/context.ts';
import type { PlanColumn } from './plan.ts';

type Columns = Readonly<Record<string, AnyType>>;

/** A function that stands in FROM: its columns, and its rows. */
interface TableFunction {
  /** How many arguments it takes. */
  readonly least: number;
  readonly most: number;
  readonly columns: readonly PlanColumn[];
  /** What it says of its arguments, by what the session may do. */
  rows(values: readonly unknown[], context: Context): readonly (readonly unknown[])[];
  /** True where the rows depend on the arguments. */
  readonly asks?: boolean;
}

const column = (name: string, length: number, nullable: boolean): PlanColumn => ({
  name,
  type: t.nvarchar(length),
  nullable,
});

const sensitive = (word: string, ignored: boolean): string => `${word}-${ignored ? 'in' : ''}sensitive`;

/** `Latin1-General-100, case-insensitive, accent-sensitive, …`, as SQL Server describes a collation. */
function description({ name, comparisonStyle: style, sortId, codePage }: Collation): string {
  const designator = name.replace(/^SQL_/, '').replace(/_(?:CP\d+|BIN2?|C[IS]_A[IS]).*$/, '');
  const parts = [designator.replaceAll('_', '-')];
  if (/_BIN(_|$)/.test(name)) parts.push('binary sort');
  else if (/_BIN2(_|$)/.test(name)) parts.push('binary code point comparison sort');
  else {
    parts.push(sensitive('case', (style & 1) !== 0), sensitive('accent', (style & 2) !== 0));
    parts.push(sensitive('kanatype', (style & 0x10000) !== 0), sensitive('width', (style & 0x20000) !== 0));
  }
  if (/_140_C/.test(name)) parts.push('supplementary characters', sensitive('variation selector', !/_VSS/.test(name)));
  if (/_SC(_|$)/.test(name)) parts.push('supplementary characters');
  if (/_UTF8$/.test(name)) parts.push('UTF8');
  const text = parts.join(', ');
  if (sortId === 0) return text;
  return `${text} for Unicode Data, SQL Server Sort Order ${sortId} on Code Page ${codePage} for non-Unicode Data`;
}

const name = t.nvarchar(128);
const textColumns: Columns = {
  dbid: t.smallint,
  objectid: t.int,
  number: t.smallint,
  encrypted: t.bit,
  text: t.nvarchar('max'),
};

/** A function over what a server here never has: properties of its own, plans, handles of texts, files. */
const empty = (least: number, most: number, columns: Columns): TableFunction => ({
  least,
  most,
  columns: Object.entries(columns).map(([each, type]) => ({ name: each, type, nullable: true })),
  rows: () => [],
});

const statistics: Columns = {
  database_id: t.smallint,
  object_id: t.int,
  index_id: t.int,
  partition_number: t.int,
};

/** What each sort of securable lets those do who may use it, and what besides those who administer it. */
const permissions: Readonly<Record<string, readonly [everybody: readonly string[], owner: readonly string[]]>> = byName(
  {
    SERVER: [
      ['CONNECT SQL', 'VIEW ANY DATABASE'],
      [
        'CREATE ANY DATABASE',
        'ALTER ANY LOGIN',
        'ALTER ANY DATABASE',
        'VIEW ANY DEFINITION',
        'VIEW SERVER STATE',
        'CONTROL SERVER',
      ],
    ],
    DATABASE: [
      ['CONNECT', 'SELECT', 'VIEW DEFINITION'],
      ['EXECUTE', 'INSERT', 'UPDATE', 'DELETE', 'ALTER ANY USER', 'ALTER ANY ROLE', 'VIEW DATABASE STATE', 'CONTROL'],
    ],
    OBJECT: [
      ['SELECT', 'VIEW DEFINITION'],
      ['EXECUTE', 'INSERT', 'UPDATE', 'DELETE', 'CONTROL'],
    ],
  },
);

function* permissionRows(securable: unknown, sort: unknown, { frame }: Context): Generator<readonly unknown[]> {
  const [everybody = [], owner = []] = permissions[String(sort).toUpperCase()] ?? [];
  const named = String(sort).toUpperCase() === 'OBJECT' ? securable : String(sort).toLowerCase();
  const held = frame.host.identity.isAdministrator ? [...everybody, ...owner] : everybody;
  for (const permission of held) yield [named, '', permission];
}

const nothingOf: Readonly<Record<string, TableFunction>> = {
  dm_exec_sql_text: empty(1, 1, textColumns),
  dm_exec_query_plan: empty(1, 1, {
    dbid: t.smallint,
    objectid: t.int,
    number: t.smallint,
    encrypted: t.bit,
    query_plan: t.xml,
  }),
  dm_io_virtual_file_stats: empty(2, 2, {
    database_id: t.smallint,
    file_id: t.smallint,
    sample_ms: t.bigint,
    num_of_reads: t.bigint,
    num_of_bytes_read: t.bigint,
    io_stall_read_ms: t.bigint,
    io_stall_queued_read_ms: t.bigint,
    num_of_writes: t.bigint,
    num_of_bytes_written: t.bigint,
    io_stall_write_ms: t.bigint,
    io_stall_queued_write_ms: t.bigint,
    io_stall: t.bigint,
    size_on_disk_bytes: t.bigint,
    file_handle: t.varbinary(8),
  }),
  dm_db_index_operational_stats: empty(4, 4, {
    ...statistics,
    leaf_insert_count: t.bigint,
    range_scan_count: t.bigint,
  }),
  dm_db_index_physical_stats: empty(5, 5, {
    ...statistics,
    index_type_desc: t.nvarchar(60),
    alloc_unit_type_desc: t.nvarchar(60),
    index_depth: t.tinyint,
    index_level: t.tinyint,
    avg_fragmentation_in_percent: t.float,
    fragment_count: t.bigint,
    avg_fragment_size_in_pages: t.float,
    page_count: t.bigint,
    avg_page_space_used_in_percent: t.float,
    record_count: t.bigint,
    ghost_record_count: t.bigint,
    version_ghost_record_count: t.bigint,
    min_record_size_in_bytes: t.int,
    max_record_size_in_bytes: t.int,
    avg_record_size_in_bytes: t.float,
    forwarded_record_count: t.bigint,
    compressed_page_count: t.bigint,
  }),
  dm_db_stats_properties: empty(2, 2, {
    object_id: t.int,
    stats_id: t.int,
    last_updated: t.datetime2(7),
    rows: t.bigint,
    rows_sampled: t.bigint,
    steps: t.int,
    unfiltered_rows: t.bigint,
    modification_counter: t.bigint,
    persisted_sample_percent: t.float,
  }),
  dm_exec_input_buffer: empty(2, 2, {
    event_type: t.nvarchar(256),
    parameters: t.smallint,
    event_info: t.nvarchar('max'),
  }),
  dm_exec_plan_attributes: empty(1, 1, { attribute: t.varchar(128), value: t.sqlVariant, is_cache_key: t.bit }),
  dm_exec_text_query_plan: empty(3, 3, {
    dbid: t.smallint,
    objectid: t.int,
    number: t.smallint,
    encrypted: t.bit,
    query_plan: t.nvarchar('max'),
  }),
  dm_os_volume_stats: empty(2, 2, {
    database_id: t.int,
    file_id: t.int,
    volume_mount_point: t.nvarchar(512),
    volume_id: t.nvarchar(512),
    logical_volume_name: t.nvarchar(512),
    file_system_type: t.nvarchar(512),
    total_bytes: t.bigint,
    available_bytes: t.bigint,
    supports_compression: t.tinyint,
    supports_alternate_streams: t.tinyint,
    supports_sparse_files: t.tinyint,
    is_read_only: t.tinyint,
    is_compressed: t.tinyint,
    incurs_seek_penalty: t.tinyint,
  }),
  fn_backup_instance_config: empty(0, 0, {
    is_managed_backup_enabled: t.bit,
    credential_name: name,
    retention_days: t.int,
    storage_url: t.nvarchar(1024),
    encryption_algorithm: name,
    encryptor_type: name,
    encryptor_name: name,
  }),
  fn_listextendedproperty: empty(7, 7, { objtype: name, objname: name, name, value: t.sqlVariant }),
};

let collations: readonly (readonly unknown[])[] | undefined;

/** The functions that may stand in FROM, by their name in lower case. */
export const tableFunctions: Readonly<Record<string, TableFunction>> = byName({
  ...nothingOf,
  fn_my_permissions: {
    least: 2,
    most: 2,
    columns: [
      column('entity_name', 128, false),
      column('subentity_name', 128, false),
      column('permission_name', 60, false),
    ],
    asks: true,
    rows: ([securable, sort], context) => [...permissionRows(securable, sort, context)],
  },
  fn_helpcollations: {
    least: 0,
    most: 0,
    columns: [column('name', 128, false), column('description', 1000, false)],
    rows: () => {
      collations ??= allCollations().map((collation) => [collation.name, description(collation)]);
      return collations;
    },
  },
});
