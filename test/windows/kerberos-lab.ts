import { jsonLog } from '../../src/base/log/log.ts';
import type { Settings } from '../../src/cli/settings.ts';
import { startLab } from '../robustness/support/lab-server.ts';
import type { TestServer } from '../support/server.ts';
import { freePort, Realm } from './realm.ts';

/** A realm, and a server in it: CORP\Alice may write, bob has no login, and FARM\crawler is an account for NTLM. */
export interface KerberosLab extends AsyncDisposable {
  readonly realm: Realm;
  readonly server: TestServer;
  /** What clients ask a ticket for. */
  readonly service: string;
  /** The server's warnings. */
  readonly lines: string[];
}

/** Starts both, the realm with clocks that are off and tickets with options, if asked for. The library reads its configuration from this process' environment, which is changed for that. */
export async function startKerberosLab(
  settings: Partial<Settings> = {},
  clock?: string,
  ticket: readonly string[] = [],
): Promise<KerberosLab> {
  await using cleanUp = new AsyncDisposableStack();
  const port = await freePort();
  const service = `MSSQLSvc/localhost:${port}`;
  const realm = cleanUp.use(
    await Realm.start('GRANARY.TEST', ['alice', 'bob'], [service, 'MSSQLSvc/localhost', 'HTTP/localhost'], clock),
  );
  Object.assign(process.env, realm.environment('alice'));
  await Promise.all([realm.kinit('alice', ticket), realm.kinit('bob', ticket)]);
  const lines: string[] = [];
  const ntlm = { ntlm: 'on', ntlmDomain: 'FARM' } as const;
  const kerberos = { kerberosKeytab: realm.keytab(), realmDomains: new Map([['granary.test', 'CORP']]) };
  const server = cleanUp.use(
    await startLab({
      log: jsonLog((line) => lines.push(line), 'warn'),
      settings: { port, extendedProtection: 'allowed', ...ntlm, ...kerberos, ...settings },
    }),
  );
  const writer = { database: 'Lab', role: 'writer' } as const;
  await server.granary.accounts.windows.create('CORP\\Alice', {}, writer);
  await server.granary.accounts.windows.create('FARM\\crawler', { password: 'Secret-1' }, writer);
  const owned = cleanUp.move();
  return { realm, server, service, lines, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
