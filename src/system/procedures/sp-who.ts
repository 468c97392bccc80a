import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { type Columns, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import type { SessionEntry } from '../../procedure/server-view.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { char, int, nchar, nvarchar, smallint } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';
import { padded } from '../padded.ts';
import { waitsOf } from '../sessions.ts';

const params = { loginame: optional(sysname, null, 'A login, a session number, or ACTIVE.') };

/** The sessions that a caller means; SQL Server refuses a login that does not exist. */
async function wanted({ server }: SystemCall, loginame: string | null): Promise<readonly SessionEntry[]> {
  const sessions = [...server.sessions()].sort((a, b) => a.spid - b.spid);
  if (loginame === null) return sessions;
  if (/^\d+$/.test(loginame)) return sessions.filter(({ spid }) => spid === Number(loginame));
  const name = fold(loginame);
  if (name === 'active') return sessions.filter(({ status }) => status === 'running');
  const meant = sessions.filter(({ login }) => fold(login) === name);
  // A Windows user who logged in through a group has no login of that name.
  if (meant.length > 0) return meant;
  const known = (await server.logins()).some((login) => fold(login.name) === name);
  if (!known) throw sqlError(15007, loginame);
  return meant;
}

/** What a session does, in the few letters that sp_who has room for. */
const command = (session: SessionEntry, letters: number): string =>
  (session.command || 'AWAITING COMMAND').replace(/\s+/g, ' ').slice(0, letters);

const whoColumns = {
  spid: smallint,
  ecid: smallint,
  status: nchar(30),
  loginame: nchar(128),
  hostname: nchar(128),
  blk: char(5),
  dbname: nchar(128),
  cmd: nchar(26),
  request_id: int,
} satisfies Columns;

/** sp_who: the sessions of the server. */
export const spWho = systemProcedure({
  name: 'sp_who',
  section: systemSection,
  summary: 'Lists sessions.',
  access: 'none',
  params,
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: { sessions: whoColumns },
    },
  },
  async handle(call, { loginame }) {
    const waitOf = await waitsOf(call);
    const sessions = (await wanted(call, loginame)).map((session) => ({
      spid: session.spid,
      ecid: 0,
      status: session.status,
      loginame: session.login,
      hostname: session.host,
      blk: String(waitOf(session.spid)?.blockedBy ?? 0),
      dbname: session.database,
      cmd: command(session, 26),
      request_id: 0,
    }));
    return { outcome: 'listed', sets: { sessions: padded(whoColumns, sessions) } };
  },
});

/** Month, day and time, as sp_who2 shows them: 01/15 10:30:00. */
function shortTime(date: Date): string {
  const [, month, day, time] = /^\d+-(\d\d)-(\d\d)T([\d:]{8})/.exec(date.toISOString()) ?? [];
  return `${month}/${day} ${time}`;
}

const who2Columns = {
  SPID: char(5),
  Status: nvarchar(30),
  Login: sysname,
  HostName: sysname,
  BlkBy: char(5),
  DBName: sysname,
  Command: nvarchar(32),
  CPUTime: nvarchar(30),
  DiskIO: nvarchar(30),
  LastBatch: nvarchar(30),
  ProgramName: sysname,
  // SQL Server repeats SPID for those who scroll; a blank keeps the two names apart.
  'SPID ': char(5),
  REQUESTID: char(5),
} satisfies Columns;

/** sp_who2: the sessions of the server, for reading. */
export const spWho2 = systemProcedure({
  name: 'sp_who2',
  section: systemSection,
  summary: 'Lists sessions, with the program that each runs.',
  access: 'none',
  params,
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: { sessions: who2Columns },
    },
  },
  async handle(call, { loginame }) {
    const waitOf = await waitsOf(call);
    const sessions = (await wanted(call, loginame)).map((session) => ({
      SPID: String(session.spid),
      Status: session.status,
      Login: session.login,
      HostName: session.host || '  .',
      BlkBy: String(waitOf(session.spid)?.blockedBy ?? '  .'),
      DBName: session.database,
      Command: command(session, 32),
      CPUTime: '0',
      DiskIO: '0',
      LastBatch: shortTime(session.connected),
      ProgramName: session.program,
      'SPID ': String(session.spid),
      REQUESTID: '0',
    }));
    return { outcome: 'listed', sets: { sessions: padded(who2Columns, sessions) } };
  },
});
