import { byName } from '../../../base/by-name.ts';
import type { SessionEntry } from '../../../procedure/server-view.ts';
import { handleOf } from '../../../procedure/sql-handle.ts';
import { parseParameters } from '../../../syntax/parser/parse.ts';
import { allCollations, type Collation } from '../../../tds/types/collation-name.ts';
import type { Context } from '../../evaluate/context.ts';
import type { PlanColumn } from '../plan.ts';
import { listedProperties } from './listed-properties.ts';
import { openJson } from './open-json.ts';
import { stringSplit } from './string-split.ts';
import type { TableFunction } from './table-function.ts';

/** Columns as T-SQL declares them: `a int, b bit`. */
const declared = (text: string, nullable = true): PlanColumn[] =>
  parseParameters(text.replace(/\w+ /g, '@$&')).map(({ name, type }) => ({ name: name.slice(1), type, nullable }));

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

/** A function over something that a server never has here: properties of its own, plans, handles of texts, files. */
const empty = (arity: number, columns: string): TableFunction => ({
  arity,
  columns: declared(columns),
  rows: () => [],
});

/**
 * The permissions on each class of securable: for those who may use it, and in addition for those who administer it.
 */
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

const statistics = 'database_id smallint, object_id int, index_id int, partition_number int';
const plan = 'dbid smallint, objectid int, number smallint, encrypted bit';

const nothingOf: Readonly<Record<string, TableFunction>> = {
  dm_exec_query_plan: empty(1, `${plan}, query_plan xml`),
  dm_exec_text_query_plan: empty(3, `${plan}, query_plan nvarchar(max)`),
  dm_exec_plan_attributes: empty(1, 'attribute varchar(128), value sql_variant, is_cache_key bit'),
  dm_io_virtual_file_stats: empty(
    2,
    `database_id smallint, file_id smallint, sample_ms bigint, num_of_reads bigint, num_of_bytes_read bigint,
     io_stall_read_ms bigint, io_stall_queued_read_ms bigint, num_of_writes bigint, num_of_bytes_written bigint,
     io_stall_write_ms bigint, io_stall_queued_write_ms bigint, io_stall bigint, size_on_disk_bytes bigint,
     file_handle varbinary(8)`,
  ),
  dm_db_index_operational_stats: empty(4, `${statistics}, leaf_insert_count bigint, range_scan_count bigint`),
  dm_db_index_physical_stats: empty(
    5,
    `${statistics}, index_type_desc nvarchar(60), alloc_unit_type_desc nvarchar(60), index_depth tinyint,
     index_level tinyint, avg_fragmentation_in_percent float, fragment_count bigint, avg_fragment_size_in_pages float,
     page_count bigint, avg_page_space_used_in_percent float, record_count bigint, ghost_record_count bigint,
     version_ghost_record_count bigint, min_record_size_in_bytes int, max_record_size_in_bytes int,
     avg_record_size_in_bytes float, forwarded_record_count bigint, compressed_page_count bigint`,
  ),
  dm_db_stats_properties: empty(
    2,
    `object_id int, stats_id int, last_updated datetime2, rows bigint, rows_sampled bigint, steps int,
     unfiltered_rows bigint, modification_counter bigint, persisted_sample_percent float`,
  ),
  dm_db_log_info: empty(
    1,
    `database_id int, file_id smallint, vlf_begin_offset bigint, vlf_size_mb float, vlf_sequence_number bigint,
     vlf_active bit, vlf_status int, vlf_parity tinyint, vlf_first_lsn nvarchar(24), vlf_create_lsn nvarchar(24),
     vlf_encryptor_thumbprint varbinary(20)`,
  ),
  dm_sql_referencing_entities: empty(
    2,
    `referencing_schema_name sysname, referencing_entity_name sysname, referencing_id int, referencing_class tinyint,
     referencing_class_desc nvarchar(60), is_caller_dependent bit`,
  ),
  dm_sql_referenced_entities: empty(
    2,
    `referencing_minor_id int, referenced_server_name sysname, referenced_database_name sysname,
     referenced_schema_name sysname, referenced_entity_name sysname, referenced_minor_name sysname, referenced_id int,
     referenced_minor_id int, referenced_class tinyint, referenced_class_desc nvarchar(60), is_caller_dependent bit,
     is_ambiguous bit, is_selected bit, is_updated bit, is_select_all bit, is_all_columns_found bit,
     is_insert_all bit, is_incomplete bit`,
  ),
  dm_os_volume_stats: empty(
    2,
    `database_id int, file_id int, volume_mount_point nvarchar(512), volume_id nvarchar(512),
     logical_volume_name nvarchar(512), file_system_type nvarchar(512), total_bytes bigint, available_bytes bigint,
     supports_compression tinyint, supports_alternate_streams tinyint, supports_sparse_files tinyint,
     is_read_only tinyint, is_compressed tinyint, incurs_seek_penalty tinyint`,
  ),
  fn_backup_instance_config: empty(
    0,
    `is_managed_backup_enabled bit, credential_name sysname, retention_days int, storage_url nvarchar(1024),
     encryption_algorithm sysname, encryptor_type sysname, encryptor_name sysname`,
  ),
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

interface RunningTexts {
  readonly byHandle: ReadonlyMap<string, SessionEntry>;
  readonly bySession: ReadonlyMap<number, SessionEntry>;
}

const running = new WeakMap<Context, RunningTexts>();

/** The sessions that run a text now: listed once per statement, however many of them it asks about. */
function runningTexts(context: Context): RunningTexts {
  const known = running.get(context);
  if (known !== undefined) return known;
  const sessions = context.frame.host.server.sessions().filter(({ text }) => text);
  const found = {
    byHandle: new Map(sessions.map((session) => [hexOf(handleOf(session.text ?? '')), session])),
    bySession: new Map(sessions.map((session) => [session.spid, session])),
  };
  running.set(context, found);
  return found;
}

let collations: readonly (readonly unknown[])[] | undefined;

/** The functions that are allowed in FROM, by their name in lower case. */
export const tableFunctions: Readonly<Record<string, TableFunction>> = byName({
  ...nothingOf,
  string_split: stringSplit,
  openjson: openJson,
  fn_listextendedproperty: listedProperties(
    declared('objtype sysname, objname sysname, name sysname, value sql_variant'),
  ),
  dm_exec_sql_text: {
    arity: 1,
    columns: declared(`${plan}, text nvarchar(max)`),
    asks: true,
    rows: ([handle], context) => {
      const found = handle instanceof Uint8Array ? runningTexts(context).byHandle.get(hexOf(handle)) : undefined;
      return found === undefined ? [] : [[null, null, null, false, found.text]];
    },
  },
  dm_exec_input_buffer: {
    arity: 2,
    columns: declared('event_type nvarchar(256), parameters smallint, event_info nvarchar(max)'),
    asks: true,
    rows: ([spid], context) => {
      const found = runningTexts(context).bySession.get(Number(spid));
      return found === undefined ? [] : [[found.command === 'batch' ? 'Language Event' : 'RPC Event', 0, found.text]];
    },
  },
  fn_my_permissions: {
    arity: 2,
    columns: declared('entity_name sysname, subentity_name sysname, permission_name nvarchar(60)', false),
    asks: true,
    rows: ([securable, sort], context) => [...permissionRows(securable, sort, context)],
  },
  fn_helpcollations: {
    arity: 0,
    columns: declared('name sysname, description nvarchar(1000)', false),
    rows: () => {
      collations ??= allCollations().map((collation) => [collation.name, description(collation)]);
      return collations;
    },
  },
});
