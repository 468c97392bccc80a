import { type Columns, orNull } from '../../procedure/declare.ts';
import { sidOf } from '../../procedure/sid.ts';
import { bigint, bit, datetime, int, nvarchar, smallint, varbinary } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';
import {
  databaseIds,
  inOrder,
  settingColumns,
  settingRow,
  tcpEndpoint,
  uncounted,
  windowsName,
} from './session-columns.ts';
import { constant, view } from './view.ts';

/** The work of a session is not measured. */
const unmeasured = constant({
  cpu_time: [int, 0],
  memory_usage: [int, 0],
  total_scheduled_time: [int, 0],
});

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
const greatestInt = 2 ** 31 - 1;

const elapsed = (since: Date, now: Date): number => Math.min(Math.max(now.getTime() - since.getTime(), 0), greatestInt);

/** The sessions of the server, with their settings. */
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
    nt_domain: windowsName(session)?.domain ?? null,
    nt_user_name: windowsName(session)?.user ?? null,
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
