import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import type { SessionEntry, WaitEntry } from '../../procedure/server-view.ts';
import { sidOf } from '../../procedure/sid.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bigint, binary, datetime, int, nchar, smallint } from '../../tds/types/index.ts';
import { waited, waitsOf, windowsName } from './session-columns.ts';
import { constant, view } from './view.ts';

const none = (length: number): Uint8Array => new Uint8Array(length);
const filled = (bytes: Uint8Array, length: number): Uint8Array => {
  const all = none(length);
  all.set(bytes.subarray(0, length));
  return all;
};

/** What Granary does not measure. */
const unmeasured = constant({
  cpu: [int, 0],
  physical_io: [bigint, 0n],
  memusage: [int, 0],
});
const request = constant({
  context_info: [binary(128), none(128)],
  sql_handle: [binary(20), none(20)],
  stmt_start: [int, 0],
  stmt_end: [int, 0],
  request_id: [int, 0],
  page_resource: [orNull(binary(8)), null],
});

const columns = {
  spid: smallint,
  kpid: smallint,
  blocked: smallint,
  waittype: binary(2),
  waittime: bigint,
  lastwaittype: nchar(32),
  waitresource: nchar(256),
  dbid: smallint,
  uid: orNull(smallint),
  ...unmeasured.columns,
  login_time: datetime,
  last_batch: datetime,
  ecid: smallint,
  open_tran: smallint,
  status: nchar(30),
  sid: binary(86),
  hostname: nchar(128),
  program_name: nchar(128),
  hostprocess: nchar(10),
  cmd: nchar(26),
  nt_domain: nchar(128),
  nt_username: nchar(128),
  net_address: nchar(12),
  net_library: nchar(12),
  loginame: nchar(128),
  ...request.columns,
} satisfies Columns;

const rowOf = (
  call: SystemCall,
  session: SessionEntry,
  databases: ReadonlyMap<string, number>,
  wait: WaitEntry | undefined,
): Row<typeof columns> => ({
  spid: session.spid,
  kpid: 0,
  blocked: wait?.blockedBy ?? 0,
  waittype: none(2),
  waittime: BigInt(waited(wait, call)),
  lastwaittype: wait ? `LCK_M_${wait.mode}` : 'MISCELLANEOUS',
  waitresource: wait?.resource.slice(0, 256) ?? '',
  dbid: databases.get(session.database.toLowerCase()) ?? 0,
  uid: 1,
  ...unmeasured.values,
  login_time: session.connected,
  last_batch: session.connected,
  ecid: 0,
  open_tran: session.transactions,
  status: session.status,
  sid: filled(sidOf(session.login), 86),
  hostname: session.host.slice(0, 128),
  program_name: session.program.slice(0, 128),
  hostprocess: '',
  cmd: (session.command || 'AWAITING COMMAND').replace(/\s+/g, ' ').slice(0, 26),
  nt_domain: windowsName(session)?.domain ?? '',
  nt_username: windowsName(session)?.user ?? '',
  net_address: '',
  net_library: 'TCP/IP',
  loginame: session.login.slice(0, 128),
  ...request.values,
});

/** The sessions, as SQL Server 2000 listed them. */
export const sysprocesses = view('sys', 'sysprocesses', columns, async (call) => {
  const databases = new Map((await call.server.databases()).map(({ name, id }) => [name.toLowerCase(), id]));
  const waitOf = await waitsOf(call);
  return call.server.sessions().map((session) => rowOf(call, session, databases, waitOf(session.spid)));
});
