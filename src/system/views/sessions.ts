import { peerOf } from '../../base/peer-address.ts';
import { fold } from '../../base/text/collation.ts';
import { lockLetters } from '../../procedure/locks/app-locks.ts';
import type { SessionEntry, SessionSettings } from '../../procedure/server-view.ts';
import { principalIdOf, sidOf } from '../../procedure/sid.ts';
import { handleOf } from '../../procedure/sql-handle.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { connectionId, databaseIds, inOrder, waited, waitsOf, windowsName } from '../sessions.ts';
import type { Given, RowsByView } from './rows.ts';

/** The options of a session without any SET, from ODBC or OLE DB. */
const byDefault: SessionSettings = {
  language: 'us_english',
  dateFormat: 'mdy',
  dateFirst: 7,
  textSize: 2 ** 31 - 1,
  lockTimeout: -1,
  isolationLevel: 2,
  deadlockPriority: 0,
  quotedIdentifier: true,
  arithAbort: false,
  ansiNullDefaultOn: true,
  ansiDefaults: false,
  ansiWarnings: true,
  ansiPadding: true,
  ansiNulls: true,
  concatNullYieldsNull: true,
};

function settingRow(session: SessionEntry): Given {
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
    deadlock_priority: settings.deadlockPriority,
  };
}

const greatestInt = 2 ** 31 - 1;

async function sessions(call: SystemCall): Promise<Given[]> {
  const idOf = await databaseIds(call);
  return inOrder(call).map((session) => ({
    session_id: session.spid,
    login_time: session.connected,
    host_name: session.host,
    program_name: session.program,
    host_process_id: session.processId | 0, // four bytes of the login, in a column that is signed
    client_interface_name: session.clientInterface.slice(0, 32),
    security_id: sidOf(session.login),
    login_name: session.login,
    nt_domain: windowsName(session)?.domain,
    nt_user_name: windowsName(session)?.user,
    status: session.status,
    total_elapsed_time: Math.min(Math.max(call.now.getTime() - session.connected.getTime(), 0), greatestInt),
    last_request_start_time: session.status === 'running' ? startOf(session, call) : session.connected,
    ...settingRow(session),
    original_security_id: sidOf(session.login),
    original_login_name: session.login,
    database_id: idOf(session.database),
    open_transaction_count: session.transactions,
  }));
}

const connections = (call: SystemCall): Given[] =>
  inOrder(call).map((session) => {
    const { host, port } = peerOf(session.address);
    return {
      session_id: session.spid,
      most_recent_session_id: session.spid,
      connect_time: session.connected,
      protocol_version: session.tdsVersion | 0, // the version has its highest bit free, and the column is signed
      auth_scheme: session.authentication,
      encrypt_option: session.encrypted ? 'TRUE' : 'FALSE',
      net_packet_size: session.packetSize,
      client_net_address: host.slice(0, 48),
      client_tcp_port: port,
      connection_id: connectionId(session),
      ...(session.text ? { most_recent_sql_handle: handleOf(session.text) } : {}),
    };
  });

const startOf = ({ elapsed = 0 }: SessionEntry, { now }: SystemCall): Date => new Date(now.getTime() - elapsed);

/** What leads to the text of a request: its handle, and that all of it runs. */
const textRow = ({ text = '' }: SessionEntry): Given =>
  text === '' ? {} : { sql_handle: handleOf(text), statement_start_offset: 0, statement_end_offset: -1 };

/** The sessions that run something now, and what they wait for. */
async function requests(call: SystemCall): Promise<Given[]> {
  const idOf = await databaseIds(call);
  const waitOf = await waitsOf(call);
  return inOrder(call)
    .filter(({ status }) => status === 'running')
    .map((session) => ({ session, wait: waitOf(session.spid) }))
    .map(({ session, wait }) => ({
      session_id: session.spid,
      start_time: startOf(session, call),
      status: session.status,
      ...textRow(session),
      total_elapsed_time: Math.min(session.elapsed ?? 0, greatestInt),
      command: (session.command || 'SELECT').slice(0, 32),
      database_id: idOf(session.database),
      connection_id: connectionId(session),
      blocking_session_id: wait?.blockedBy ?? 0,
      wait_type: wait ? `LCK_M_${wait.mode}` : null,
      wait_time: waited(wait, call),
      last_wait_type: wait ? `LCK_M_${wait.mode}` : 'MISCELLANEOUS',
      wait_resource: wait?.resource.slice(0, 256) ?? '',
      open_transaction_count: session.transactions,
      ...settingRow(session),
    }));
}

const filled = (bytes: Uint8Array, length: number): Uint8Array => {
  const all = new Uint8Array(length);
  all.set(bytes.subarray(0, length));
  return all;
};

/**
 * The sessions, as SQL Server 2000 listed them; the first is the server itself, from which tools read how long it runs.
 */
async function processes(call: SystemCall): Promise<Given[]> {
  const idOf = await databaseIds(call);
  const waitOf = await waitsOf(call);
  const unknown = { waittype: new Uint8Array(2), context_info: new Uint8Array(128), sql_handle: new Uint8Array(20) };
  const own = {
    spid: 1,
    blocked: 0,
    waittime: 0n,
    lastwaittype: 'MISCELLANEOUS',
    waitresource: '',
    dbid: 1,
    open_tran: 0,
  };
  // Only those who may see all sessions see the server's own.
  const background = {
    ...own,
    ...unknown,
    login_time: call.server.started,
    last_batch: call.server.started,
    status: 'background',
    sid: filled(sidOf('sa'), 86),
    hostname: '',
    program_name: '',
    cmd: 'TASK MANAGER',
    loginame: 'sa',
  };
  return [
    ...(call.server.isPartial ? [] : [background]),
    ...inOrder(call).map((session) => {
      const wait = waitOf(session.spid);
      return {
        ...unknown,
        spid: session.spid,
        blocked: wait?.blockedBy ?? 0,
        waittime: BigInt(waited(wait, call)),
        lastwaittype: wait ? `LCK_M_${wait.mode}` : 'MISCELLANEOUS',
        waitresource: wait?.resource.slice(0, 256) ?? '',
        dbid: idOf(session.database),
        login_time: session.connected,
        last_batch: session.connected,
        open_tran: session.transactions,
        hostprocess: String(session.processId | 0),
        status: session.status,
        sid: filled(sidOf(session.login), 86),
        hostname: session.host.slice(0, 128),
        program_name: session.program.slice(0, 128),
        cmd: (session.command || 'AWAITING COMMAND').replace(/\s+/g, ' ').slice(0, 26),
        nt_domain: windowsName(session)?.domain ?? '',
        nt_username: windowsName(session)?.user ?? '',
        loginame: session.login.slice(0, 128),
      };
    }),
  ];
}

/** SQL Server shows the first 32 characters of a resource's name. */
const shownCharacters = 32;

/** The application locks, and who waits for whose transaction; other locks of databases are not shown to clients. */
async function locks(call: SystemCall): Promise<Given[]> {
  const idOf = await databaseIds(call);
  const waits = (await call.server.waits()).filter(({ resource }) => !resource.startsWith('APPLICATION'));
  const waiting = waits.flatMap(({ spid, blockedBy, mode, resource, database }) =>
    [
      { request_session_id: spid, request_status: 'WAIT' },
      { request_session_id: blockedBy, request_status: 'GRANT' },
    ].map((side) => ({
      resource_type: resource.replace(/:.*/s, ''),
      resource_database_id: idOf(database),
      resource_description: '',
      request_mode: mode,
      request_owner_type: 'TRANSACTION',
      ...side,
    })),
  );
  const application = call.server.lockEntries().map(({ resource, owner, mode, status }) => {
    const principal = fold(resource.principal) === 'public' ? 0 : principalIdOf(resource.principal);
    return {
      resource_type: 'APPLICATION',
      resource_database_id: idOf(resource.database),
      resource_description: `${principal}:[${resource.name.slice(0, shownCharacters)}]`,
      request_mode: lockLetters[mode],
      request_status: status === 'granted' ? 'GRANT' : 'WAIT',
      request_session_id: owner.spid,
      request_owner_type: owner.scope.toUpperCase(),
    };
  });
  return [...waiting, ...application];
}

/** The views of sessions, connections, requests and locks. */
export const sessionRows: RowsByView = {
  'sys.dm_exec_sessions': sessions,
  'sys.dm_exec_connections': connections,
  'sys.dm_exec_requests': requests,
  'sys.dm_tran_locks': locks,
  'sys.sysprocesses': processes,
};
