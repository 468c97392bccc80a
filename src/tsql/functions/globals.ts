import { byName } from '../../base/by-name.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { languageOf } from '../../values/languages.ts';
import type { Known } from '../evaluate/context.ts';
import type { Frame } from '../frame.ts';
import { optionBits } from '../options.ts';

/** A variable that begins with @@: its type and how to find its value. */
interface Global {
  readonly type: AnyType;
  value(frame: Frame, known: Known): unknown;
}

const int = (value: (frame: Frame) => number): Global => ({ type: t.int, value });
const fixed = (value: number): Global => int(() => value);
const name = (value: (frame: Frame) => string): Global => ({ type: t.nvarchar(256), value });

/** 0xMMmmbbbb: major, minor and build of the version that is reported to clients. */
function versionNumber(frame: Frame): number {
  const [major = 0, minor = 0, build = 0] = frame.host.server.version.split('.').map(Number);
  return (major << 24) | (minor << 16) | build;
}

function versionText(frame: Frame): string {
  const property = frame.host.serverProperty('ProductName')?.value;
  const product = typeof property === 'string' ? property : 'Microsoft SQL Server';
  return `${product} - ${frame.host.server.version} (Granary)`;
}

/** Counters of SQL Server that are not kept here. */
const uncounted =
  'CPU_BUSY IDLE IO_BUSY PACK_RECEIVED PACK_SENT PACKET_ERRORS TOTAL_ERRORS TOTAL_READ TOTAL_WRITE'.split(' ');

/** The variables that begin with @@, by their name in upper case. */
export const globals: Readonly<Record<string, Global>> = byName({
  ...Object.fromEntries(uncounted.map((of) => [`@@${of}`, fixed(0)])),
  '@@VERSION': { type: t.nvarchar(300), value: versionText },
  '@@MICROSOFTVERSION': int(versionNumber),
  '@@SPID': { type: t.smallint, value: ({ host }) => host.identity.spid },
  '@@TRANCOUNT': int(({ host }) => host.transactions.count),
  '@@ROWCOUNT': int(({ host }) => host.state.rowCount),
  '@@ERROR': int(({ host }) => host.state.error),
  '@@IDENTITY': {
    type: t.numeric(38, 0),
    value: ({ host }) => (host.state.identity === null ? null : { unscaled: host.state.identity, scale: 0 }),
  },
  '@@SERVERNAME': name(({ host }) => host.server.name),
  '@@SERVICENAME': name(({ host }) => host.server.name.split('\\')[1] ?? 'MSSQLSERVER'),
  '@@LANGUAGE': name(({ host }) => host.options.language),
  '@@LANGID': { type: t.smallint, value: ({ host }) => languageOf(host.options.language)?.id ?? 0 },
  '@@DATEFIRST': { type: t.tinyint, value: ({ host }) => host.options.dateFirst },
  '@@TEXTSIZE': int(({ host }) => host.options.textSize),
  '@@OPTIONS': int(({ host }) => optionBits(host.options)),
  '@@MAX_PRECISION': { type: t.tinyint, value: () => 38 },
  '@@MAX_CONNECTIONS': fixed(32_767),
  '@@NESTLEVEL': int(({ level }) => level),
  '@@PROCID': int(({ procedureId }) => procedureId),
  '@@FETCH_STATUS': int(({ host }) => host.state.cursors.fetchStatus),
  '@@CURSOR_ROWS': int(({ host }) => host.state.cursors.lastRows),
  '@@LOCK_TIMEOUT': int(({ host }) => host.options.lockTimeout),
  '@@DBTS': { type: t.rowversion, value: (_frame, { databaseVersion }) => databaseVersion },
  '@@CONNECTIONS': int(({ host }) => host.server.sessions().length),
  '@@TIMETICKS': fixed(31_250),
  '@@REMSERVER': { type: t.nvarchar(256), value: () => null },
});
