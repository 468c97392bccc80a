import { type Columns, orNull } from '../../procedure/declare.ts';
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
} from '../../tds/types/index.ts';
import {
  connectionId,
  databaseIds,
  inOrder,
  settingColumns,
  settingRow,
  uncounted,
  waited,
  waitsOf,
} from './session-columns.ts';
import { constant, view } from './view.ts';

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
  blocking_session_id: orNull(smallint),
  wait_type: orNull(nvarchar(60)),
  wait_time: int,
  last_wait_type: nvarchar(60),
  wait_resource: nvarchar(256),
  open_transaction_count: int,
  ...progress.columns,
  ...uncounted.columns,
  ...settingColumns,
  ...plan.columns,
} satisfies Columns;

/** The sessions that run something now, and what they wait for. */
export const sysDmExecRequests = view('sys', 'dm_exec_requests', requestColumns, async (call) => {
  const idOf = await databaseIds(call);
  const waitOf = await waitsOf(call);
  return inOrder(call)
    .filter(({ status }) => status === 'running')
    .map((session) => ({ session, wait: waitOf(session.spid) }))
    .map(({ session, wait }) => ({
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
      blocking_session_id: wait?.blockedBy ?? 0,
      wait_type: wait ? `LCK_M_${wait.mode}` : null,
      wait_time: waited(wait, call),
      last_wait_type: wait ? `LCK_M_${wait.mode}` : 'MISCELLANEOUS',
      wait_resource: wait?.resource.slice(0, 256) ?? '',
      open_transaction_count: session.transactions,
      ...progress.values,
      ...uncounted.values,
      ...settingRow(session),
      ...plan.values,
    }));
});
