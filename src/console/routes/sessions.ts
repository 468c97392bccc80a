import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { bit, datetime, int, nvarchar } from '../../tds/types/index.ts';
import { type Answering, answer } from '../answer.ts';
import { endSession, listSessions } from '../api/sessions.ts';
import { isoOf } from './values.ts';

const word = nvarchar(256);

const columns = {
  session: int,
  login: orNull(word),
  host: orNull(word),
  program: orNull(word),
  address: orNull(word),
  database: orNull(word),
  connected: datetime,
  running: bit,
  command: orNull(word),
  since: orNull(datetime),
  transactions: int,
  encrypted: bit,
  blocker: orNull(int),
  resource: orNull(word),
  waited: orNull(int),
};

/** SQL Server's own views, which show a login what it may see. */
const text = `
  select cast(s.session_id as int) as session, s.login_name as login, s.host_name as host, s.program_name as program,
    c.client_net_address as address, db_name(s.database_id) as [database], s.login_time as connected,
    cast(case s.status when N'running' then 1 else 0 end as bit) as running, r.command as command,
    r.start_time as since,
    s.open_transaction_count as transactions,
    cast(case c.encrypt_option when N'TRUE' then 1 else 0 end as bit) as encrypted,
    cast(nullif(r.blocking_session_id, 0) as int) as blocker, r.wait_resource as resource, r.wait_time as waited
  from sys.dm_exec_sessions s
  left join sys.dm_exec_connections c on c.session_id = s.session_id
  left join sys.dm_exec_requests r on r.session_id = s.session_id
  where s.is_user_process = 1
  order by s.session_id`;

/** Who is connected, and what for. */
export const sessionListRoutes: readonly Answering[] = [
  answer(listSessions, async ({ client, signal }) => ({ sessions: await sessionsSeenBy(client('master'), signal) })),
  answer(endSession, async ({ client, params, log }) => {
    await client('master').query(`kill ${params.session}`);
    log.warn('a session was ended from the console', { ended: params.session });
    return { ended: true };
  }),
];

async function sessionsSeenBy(client: Client, signal: AbortSignal) {
  const rows = await client.select(columns, text, {}, { signal, idempotent: true });
  return rows.map(
    ({ session, connected, running, command, since, transactions, encrypted, blocker, resource, waited, ...of }) => ({
      session,
      login: of.login ?? '',
      host: of.host ?? '',
      program: of.program ?? '',
      address: of.address ?? '',
      database: of.database ?? '',
      connected: connected.toISOString(),
      isRunning: running,
      command: command || null,
      since: isoOf(since),
      transactions,
      encrypted,
      waitsFor: blocker === null ? null : { session: blocker, resource: resource ?? '', milliseconds: waited ?? 0 },
    }),
  );
}
