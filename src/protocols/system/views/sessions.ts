import { createHash } from 'node:crypto';
import type { Call } from '../../../procedure/call.ts';
import { type Columns, orNull, type Row } from '../../../procedure/declare.ts';
import type { SessionEntry, SessionSettings } from '../../../procedure/server-view.ts';
import {
  bigint,
  binary,
  bit,
  datetime,
  int,
  nvarchar,
  real,
  smallint,
  uniqueidentifier,
  varbinary,
  varchar,
} from '../../../tds/types/index.ts';
import { sysname } from '../names.ts';
import { sidOf } from '../principals.ts';
import { constant, view } from './view.ts';

const settingColumns = {
  text_size: int,
  language: orNull(sysname),
  date_format: orNull(nvarchar(3)),
  date_first: smallint,
  quoted_identifier: bit,
  arithabort: bit,
  ansi_null_dflt_on: bit,
  ansi_defaults: bit,
  ansi_warnings: bit,
  ansi_padding: bit,
  ansi_nulls: bit,
  concat_null_yields_null: bit,
  transaction_isolation_level: smallint,
  lock_timeout: int,
  deadlock_priority: int,
} satisfies Columns;

/** What a session has that never said SET. */
const byDefault: SessionSettings = {
  language: 'us_english',
  dateFormat: 'mdy',
  dateFirst: 7,
  textSize: 4096,
  lockTimeout: -1,
  isolationLevel: 2,
  quotedIdentifier: false,
  arithAbort: false,
  ansiNullDefaultOn: false,
  ansiDefaults: false,
  ansiWarnings: false,
  ansiPadding: false,
  ansiNulls: false,
  concatNullYieldsNull: false,
};

function settingRow(session: SessionEntry): Row<typeof settingColumns> {
  const settings: SessionSettings = { ...byDefault, ...session.settings };
  return {
    text_size: settings.textSize,
    language: settings.language,
    date_format: settings.dateFormat,
    date_first: settings.dateFirst,
    quoted_identifier: settings.quotedIdentifier,
    arithabort: settings.arithAbort,
    ansi_null_dflt_on: settings.ansiNullDefaultOn,
    ansi_defaults: settings.ansiDefaults,
    ansi_warnings: settings.ansiWarnings,
    ansi_padding: settings.ansiPadding,
    ansi_nulls: settings.ansiNulls,
    concat_null_yields_null: settings.concatNullYieldsNull,
    transaction_isolation_level: settings.isolationLevel,
    lock_timeout: settings.lockTimeout,
    deadlock_priority: 0,
  };
}

/** The work of a session is not measured. */
const unmeasured = constant({
  cpu_time: [int, 0],
  memory_usage: [int, 0],
  total_scheduled_time: [int, 0],
});
const uncounted = constant({ reads: [bigint, 0n], writes: [bigint, 0n], logical_reads: [bigint, 0n] });

const sessionColumns = {
  session_id: smallint,
  login_time: datetime,
  host_name: orNull(sysname),
  program_name: orNull(sysname),
  host_process_id: orNull(int),
  client_version: orNull(int),
  client_interface_name: orNull(nvarchar(32)),
  security_id: varbinary(85),
  login_name: sysname,
  nt_domain: orNull(sysname),
  nt_user_name: orNull(sysname),
  status: nvarchar(30),
  context_info: orNull(varbinary(128)),
  ...unmeasured.columns,
  total_elapsed_time: int,
  endpoint_id: int,
  last_request_start_time: datetime,
  last_request_end_time: orNull(datetime),
  ...uncounted.columns,
  is_user_process: bit,
  ...settingColumns,
  row_count: bigint,
  prev_error: int,
  original_security_id: varbinary(85),
  original_login_name: sysname,
  last_successful_logon: orNull(datetime),
  last_unsuccessful_logon: orNull(datetime),
  unsuccessful_logons: orNull(bigint),
  group_id: int,
  database_id: smallint,
  authenticating_database_id: orNull(int),
  open_transaction_count: int,
} satisfies Columns;

/** The number of TDS 7.x that clients are told: 7 for all of them. */
const clientVersion = 7;
/** SQL Server's endpoint for TCP. */
const tcpEndpoint = 4;
const greatestInt = 2 ** 31 - 1;

const elapsed = (since: Date, now: Date): number => Math.min(Math.max(now.getTime() - since.getTime(), 0), greatestInt);

async function databaseIds({ server }: Call): Promise<(name: string) => number> {
  const ids = new Map((await server.databases()).map(({ name, id }) => [name.toLowerCase(), id]));
  return (name) => ids.get(name.toLowerCase()) ?? 0;
}

const inOrder = ({ server }: Call): SessionEntry[] => [...server.sessions()].sort((a, b) => a.spid - b.spid);

export const sysDmExecSessions = view('sys', 'dm_exec_sessions', sessionColumns, async (call) => {
  const idOf = await databaseIds(call);
  return inOrder(call).map((session) => ({
    session_id: session.spid,
    login_time: session.connected,
    host_name: session.host,
    program_name: session.program,
    host_process_id: null,
    client_version: clientVersion,
    client_interface_name: session.clientInterface.slice(0, 32),
    security_id: sidOf(session.login),
    login_name: session.login,
    nt_domain: null,
    nt_user_name: null,
    status: session.status,
    context_info: null,
    ...unmeasured.values,
    total_elapsed_time: elapsed(session.connected, call.now),
    endpoint_id: tcpEndpoint,
    last_request_start_time: session.spid === call.spid ? call.now : session.connected,
    last_request_end_time: null,
    ...uncounted.values,
    is_user_process: true,
    ...settingRow(session),
    row_count: 0n,
    prev_error: 0,
    original_security_id: sidOf(session.login),
    original_login_name: session.login,
    last_successful_logon: null,
    last_unsuccessful_logon: null,
    unsuccessful_logons: null,
    group_id: 2,
    database_id: idOf(session.database),
    authenticating_database_id: 1,
    open_transaction_count: session.transactions,
  }));
});

/** A connection has a GUID in SQL Server; ours is made of what tells it from every other. */
function connectionId({ spid, connected, address }: SessionEntry): string {
  const hex = createHash('sha256').update(`${spid} ${connected.getTime()} ${address}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** An address and port that were written in one: `127.0.0.1:50123`, `[::1]:50123`. */
function addressOf(address: string): { readonly host: string; readonly port: number | null } {
  const found = /^\[?(.*?)\]?:(\d+)$/.exec(address);
  const isWhole = !found || (!address.startsWith('[') && found[1]?.includes(':'));
  return isWhole ? { host: address, port: null } : { host: found[1] ?? address, port: Number(found[2]) };
}

const connectionColumns = {
  session_id: orNull(int),
  most_recent_session_id: orNull(int),
  connect_time: datetime,
  net_transport: nvarchar(40),
  protocol_type: orNull(nvarchar(40)),
  protocol_version: orNull(int),
  endpoint_id: orNull(int),
  encrypt_option: nvarchar(40),
  auth_scheme: nvarchar(40),
  node_affinity: smallint,
  num_reads: orNull(int),
  num_writes: orNull(int),
  last_read: orNull(datetime),
  last_write: orNull(datetime),
  net_packet_size: orNull(int),
  client_net_address: orNull(varchar(48)),
  client_tcp_port: orNull(int),
  local_net_address: orNull(varchar(48)),
  local_tcp_port: orNull(int),
  connection_id: uniqueidentifier,
  parent_connection_id: orNull(uniqueidentifier),
  most_recent_sql_handle: orNull(varbinary(64)),
} satisfies Columns;

export const sysDmExecConnections = view('sys', 'dm_exec_connections', connectionColumns, (call) =>
  inOrder(call).map((session) => {
    const { host, port } = addressOf(session.address);
    return {
      session_id: session.spid,
      most_recent_session_id: session.spid,
      connect_time: session.connected,
      net_transport: 'TCP',
      protocol_type: 'TSQL',
      protocol_version: session.tdsVersion | 0, // the version has its highest bit free, and the column is signed
      endpoint_id: tcpEndpoint,
      encrypt_option: session.encrypted ? 'TRUE' : 'FALSE',
      auth_scheme: 'SQL',
      node_affinity: 0,
      num_reads: null,
      num_writes: null,
      last_read: null,
      last_write: null,
      net_packet_size: session.packetSize,
      client_net_address: host.slice(0, 48),
      client_tcp_port: port,
      local_net_address: null,
      local_tcp_port: null,
      connection_id: connectionId(session),
      parent_connection_id: null,
      most_recent_sql_handle: null,
    };
  }),
);

const waiting = constant({
  blocking_session_id: [orNull(smallint), 0],
  wait_type: [orNull(nvarchar(60)), null],
  wait_time: [int, 0],
  last_wait_type: [nvarchar(60), 'MISCELLANEOUS'],
  wait_resource: [nvarchar(256), ''],
});
const progress = constant({
  open_resultset_count: [int, 1],
  transaction_id: [bigint, 0n],
  context_info: [orNull(varbinary(128)), null],
  percent_complete: [real, 0],
  estimated_completion_time: [bigint, 0n],
  cpu_time: [int, 0],
  total_elapsed_time: [int, 0],
  scheduler_id: [orNull(int), null],
  task_address: [orNull(varbinary(8)), null],
});
const plan = constant({
  row_count: [bigint, 0n],
  prev_error: [int, 0],
  nest_level: [int, 0],
  granted_query_memory: [int, 0],
  executing_managed_code: [bit, false],
  group_id: [int, 2],
  query_hash: [orNull(binary(8)), null],
  query_plan_hash: [orNull(binary(8)), null],
  statement_sql_handle: [orNull(varbinary(64)), null],
  statement_context_id: [orNull(bigint), null],
  dop: [int, 1],
  parallel_worker_count: [orNull(int), null],
  external_script_request_id: [orNull(uniqueidentifier), null],
  is_resumable: [bit, false],
});

const requestColumns = {
  session_id: smallint,
  request_id: int,
  start_time: datetime,
  status: nvarchar(30),
  command: nvarchar(32),
  sql_handle: orNull(varbinary(64)),
  statement_start_offset: orNull(int),
  statement_end_offset: orNull(int),
  plan_handle: orNull(varbinary(64)),
  database_id: smallint,
  user_id: int,
  connection_id: orNull(uniqueidentifier),
  ...waiting.columns,
  open_transaction_count: int,
  ...progress.columns,
  ...uncounted.columns,
  ...settingColumns,
  ...plan.columns,
} satisfies Columns;

export const sysDmExecRequests = view('sys', 'dm_exec_requests', requestColumns, async (call) => {
  const idOf = await databaseIds(call);
  return inOrder(call)
    .filter(({ status }) => status === 'running')
    .map((session) => ({
      session_id: session.spid,
      request_id: 0,
      start_time: call.now,
      status: session.status,
      command: (session.command || 'SELECT').slice(0, 32),
      sql_handle: null,
      statement_start_offset: null,
      statement_end_offset: null,
      plan_handle: null,
      database_id: idOf(session.database),
      user_id: 1,
      connection_id: connectionId(session),
      ...waiting.values,
      open_transaction_count: session.transactions,
      ...progress.values,
      ...uncounted.values,
      ...settingRow(session),
      ...plan.values,
    }));
});
