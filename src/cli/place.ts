import { readFileSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log/log.ts';
import { Measures } from '../base/log/measures.ts';
import { SqlError } from '../base/messages/sql-error.ts';
import { Threads } from '../base/threads/threads.ts';
import { Client } from '../client/client.ts';
import { ClientError } from '../client/client-error.ts';
import { kerberos } from '../client/kerberos.ts';
import type { Encryption } from '../client/options.ts';
import { allKinds, withSystem } from '../kinds.ts';
import { LocalSessions } from '../net/local-sessions.ts';
import { SessionTable } from '../net/session-table.ts';
import { orNull } from '../procedure/declare.ts';
import { search } from '../protocols/search/kinds/search.ts';
import { searchAdmin } from '../protocols/search/kinds/search-admin.ts';
import { createContext } from '../server-context.ts';
import { limitsOf } from '../server-limits.ts';
import { nvarchar } from '../tds/types/index.ts';
import type { CommandFlag, Invocation } from './command.ts';
import { withData } from './data.ts';
import { codeOf, messageOf, OperatorError, UsageError } from './errors.ts';
import { database } from './search/admin-database.ts';
import { passwordVariable } from './secret.ts';

const encryptions: readonly Encryption[] = ['off', 'login', 'full', 'strict'];

/** Which server a command talks to: the data of --data and --engine unless --server names one elsewhere. */
export const placeFlags = {
  server: {
    placeholder: 'HOST:PORT',
    help: `A remote server, instead of the data on this machine; set the password in ${passwordVariable}.`,
  },
  login: { placeholder: 'NAME', help: 'The login on that server. Default: sa.' },
  windows: {
    placeholder: '',
    bare: true,
    help: 'Log in to that server as the Windows user of this process’ Kerberos ticket.',
  },
  ca: {
    placeholder: 'FILE',
    help: 'A certificate to trust: that of the server (tls/server.crt) or of its authority.',
  },
  encryption: {
    placeholder: encryptions.join('|'),
    help: 'How the connection to that server is encrypted. Default: full.',
  },
  database,
} satisfies Record<string, CommandFlag>;

/**
 * Runs work with a client of the search administration database: over the network, or inside this process on the data.
 */
export function withClient<T>(invocation: Invocation, work: (admin: Client) => Promise<T>): Promise<T> {
  const name = invocation.flags.get('database') ?? searchAdmin.firstDatabase;
  return withDatabase(invocation, name, async (client) => {
    await checkKind(client, name);
    return await work(client);
  });
}

/** Runs work with a client of the server, wherever it is, that is in no database in particular. */
export function withServer<T>(invocation: Invocation, work: (server: Client) => Promise<T>): Promise<T> {
  return withDatabase(invocation, 'master', work);
}

async function withDatabase<T>(invocation: Invocation, name: string, work: (client: Client) => Promise<T>): Promise<T> {
  const { flags } = invocation;
  const server = flags.get('server');
  if (server === undefined) return withLocalClient(invocation, name, work);
  await using windows = flags.has('windows') ? kerberos() : null;
  const signOn = windows === null ? {} : { windows };
  await using client = Client.create({ ...elsewhere(server, invocation), ...signOn, database: name });
  try {
    return await work(client);
  } catch (error) {
    throw distrust(error, server) ?? error;
  }
}

/** What OpenSSL calls a certificate that nobody trusted has signed; Node's own words for it are about Node. */
const untrusted = /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|^CERT_|ALTNAME_INVALID/;

/** What to do about a certificate that is not trusted; undefined for every other error. */
function distrust(error: unknown, server: string): OperatorError | undefined {
  if (!(error instanceof ClientError) || !untrusted.test(codeOf(error.cause) ?? '')) return undefined;
  const why = messageOf(error.cause).split(';')[0];
  return new OperatorError(
    `The certificate of ${server} is not trusted: ${why}. Trust one with --ca FILE: the server's own, which is ` +
      'tls/server.crt in its data folder, or that of its authority.',
    { cause: error },
  );
}

/** Refuses a database that is not for search administration; a SQL Server does not report kinds. */
async function checkKind(client: Client, name: string): Promise<void> {
  const text = "select cast(databasepropertyex(db_name(), 'GranaryKind') as nvarchar(128)) as kind";
  const [found] = await client.select({ kind: orNull(nvarchar(128)) }, text).catch((error: unknown) => {
    if (!(error instanceof SqlError) || error.number !== 4060) throw error;
    throw new OperatorError(`There is no database ${name}.`, { cause: error });
  });
  const kind = found?.kind ?? searchAdmin.name;
  if (kind !== searchAdmin.name && kind !== search.name) {
    throw new OperatorError(`The database ${name} is of kind ${kind}, not ${searchAdmin.name}.`);
  }
}

function elsewhere(server: string, { flags, world }: Invocation) {
  const [, host = '', port = ''] = /^(?:\[([^\]]+)\]|[^:]+):(\d{1,5})$/.exec(server) ?? [];
  if (port === '') throw new UsageError(`--server must be HOST:PORT, not '${server}'.`);
  const password = world.environment[passwordVariable];
  if (password === undefined && !flags.has('windows'))
    throw new UsageError(`The password of the login is required in ${passwordVariable}.`);
  const encryption = encryptions.find((known) => known === (flags.get('encryption') ?? 'full'));
  if (encryption === undefined) throw new UsageError(`--encryption must be one of ${encryptions.join(', ')}.`);
  const ca = flags.get('ca');
  return {
    host: host || server.slice(0, -port.length - 1),
    port: Number(port),
    user: flags.get('login') ?? 'sa',
    password: password ?? '',
    encryption,
    ...(ca === undefined ? {} : { ca: certificateIn(ca) }),
  };
}

function certificateIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`The certificate ${file} cannot be read: ${codeOf(error) ?? messageOf(error)}.`);
  }
}

/** The sessions of this process work on the data while a server may or may not be running. */
function withLocalClient<T>(
  { settings }: Invocation,
  database: string,
  work: (admin: Client) => Promise<T>,
): Promise<T> {
  return withData(settings, async ({ engine, accounts, administration }) => {
    await using threads = new Threads(silentLog);
    const sessions = new SessionTable();
    const context = createContext(
      {
        engine,
        accounts,
        administration,
        kinds: withSystem(allKinds),
        limits: limitsOf(settings),
        encryption: settings.encryption,
        threads,
        serverName: settings.serverName,
        version: settings.reportedVersion,
        // The server on this data does it at its next check.
        wakeUpkeep: () => {},
        clock: systemClock,
        log: silentLog,
        measures: new Measures(),
      },
      sessions,
    );
    const server = new LocalSessions({ context, sessions, maxMessage: settings.maxMessageSize, log: silentLog });
    const client = Client.create({ server, database, poolSize: 30 });
    try {
      return await work(client);
    } finally {
      await client.close();
      await sessions.drain();
    }
  });
}
