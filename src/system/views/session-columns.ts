import { createHash } from 'node:crypto';
import { fold } from '../../base/collation.ts';
import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import type { SessionEntry, SessionSettings, WaitEntry } from '../../procedure/server-view.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bigint, bit, int, nvarchar, smallint } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';
import { constant } from './view.ts';

/** What SET changes, in the columns that sessions and requests share. */
export const settingColumns = {
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

/** The two parts of a Windows user's name; undefined for a session that logged in with a password. */
export function windowsName({
  login,
  authentication,
}: SessionEntry): { readonly domain: string; readonly user: string } | undefined {
  const at = login.indexOf('\\');
  return authentication === 'SQL' ? undefined : { domain: login.slice(0, at), user: login.slice(at + 1) };
}

/** What a session has that never said SET, from ODBC or OLE DB. */
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

/** What those columns say of a session. */
export function settingRow(session: SessionEntry): Row<typeof settingColumns> {
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

/** Reads and writes are not counted. */
export const uncounted = constant({ reads: [bigint, 0n], writes: [bigint, 0n], logical_reads: [bigint, 0n] });

/** SQL Server's endpoint for TCP. */
export const tcpEndpoint = 4;

/** The numbers of databases by name. */
export async function databaseIds({ server }: SystemCall): Promise<(name: string) => number> {
  const ids = new Map((await server.databases()).map(({ name, id }) => [fold(name), id]));
  return (name) => ids.get(fold(name)) ?? 0;
}

/** The sessions of the server by number. */
export const inOrder = ({ server }: SystemCall): SessionEntry[] =>
  [...server.sessions()].sort((a, b) => a.spid - b.spid);

/** What sessions wait for: the transaction of another, or an application lock. */
export async function waitsOf({ server }: SystemCall): Promise<(spid: number) => WaitEntry | undefined> {
  const waits = new Map((await server.waits()).map((wait) => [wait.spid, wait]));
  return (spid) => waits.get(spid);
}

/** How long a session has waited, in milliseconds. */
export const waited = (wait: WaitEntry | undefined, { now }: SystemCall): number =>
  wait === undefined ? 0 : Math.max(0, now.getTime() - wait.since.getTime());

/** A connection has a GUID in SQL Server; ours is made of what tells it from every other. */
export function connectionId({ spid, connected, address }: SessionEntry): string {
  const hex = createHash('sha256').update(`${spid} ${connected.getTime()} ${address}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
