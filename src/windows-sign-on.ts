import type { Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import type { Accounts } from './accounts/accounts.ts';
import type { Clock } from './base/clock.ts';
import type { Settings } from './cli/settings.ts';
import type { WindowsSignOn } from './console/console-server.ts';
import { bindingsOf, endPointBinding } from './net/channel-bindings.ts';
import { isLoopback } from './net/loopback.ts';
import type { ServerContext } from './session/context.ts';
import { type ProvingConnection, WindowsProof } from './session/login/windows-proof.ts';
import { RealmDomains } from './sspi/domain-name.ts';
import type { Kerberos } from './sspi/kerberos-acceptor.ts';
import { WindowsAuthentication } from './sspi/windows-authentication.ts';

/**
 * Opens what Kerberos needs, when a keytab is configured; throws when the library, the keytab or a key is not there.
 */
export async function openKerberos(settings: Settings): Promise<Kerberos | undefined> {
  const { kerberosKeytab: keytab, servicePrincipal: principal, data } = settings;
  if (keytab === undefined) return undefined;
  // Loaded only where it is used.
  const { Kerberos } = await import('./sspi/kerberos-acceptor.ts');
  const replayCache = `file2:${join(data, 'kerberos.replay')}`;
  const kerberos = new Kerberos({ keytab, principal, replayCache }, realmsOf(settings));
  try {
    await kerberos.check();
  } catch (error) {
    await kerberos[Symbol.asyncDispose]();
    throw error;
  }
  return kerberos;
}

/** Puts together how Windows users prove who they are; undefined when neither Kerberos nor NTLM is configured. */
export function createWindowsAuthentication(
  settings: Settings,
  accounts: Accounts,
  clock: Clock,
  kerberos: Kerberos | undefined,
  serviceClass: 'MSSQLSvc' | 'HTTP',
): WindowsAuthentication | undefined {
  const { ntlm, ntlmDomain, serverName, extendedProtection } = settings;
  if (ntlm === 'off' && kerberos === undefined) return undefined;
  const computer = serverName.toUpperCase();
  const held = {
    domain: ntlmDomain ?? computer,
    computer,
    prove: accounts.windows.prove.bind(accounts.windows),
  };
  return new WindowsAuthentication({
    clock,
    kerberos,
    ntlm: ntlm === 'on' ? held : undefined,
    realms: realmsOf(settings),
    protection: extendedProtection,
    serviceClass,
    // It is TDS's own: pages are of another class, any of whose keys count.
    servicePrincipal: serviceClass === 'HTTP' ? undefined : settings.servicePrincipal,
  });
}

/** What the log-in of Windows users to the console is put together from. */
interface ConsoleSignOnParts extends Pick<ServerContext, 'accounts' | 'view' | 'clock'> {
  readonly kerberos: Kerberos | undefined;
  /** The certificate that the listener shows now, where it has one. */
  cert(): string | undefined;
}

/** Puts together how Windows users log in to the console; undefined where neither a key for HTTP nor NTLM is there. */
export async function createConsoleSignOn(
  settings: Settings,
  { kerberos, cert, ...context }: ConsoleSignOnParts,
): Promise<WindowsSignOn | undefined> {
  const forPages = await kerberos?.ofClass('HTTP');
  const windows = createWindowsAuthentication(settings, context.accounts, context.clock, forPages, 'HTTP');
  if (windows === undefined) return undefined;
  return {
    hasKerberos: forPages !== undefined,
    begin(socket) {
      const gone = new AbortController();
      const shown = cert();
      const endPoint = shown === undefined ? undefined : endPointBinding(shown);
      const proof = new WindowsProof(provingConnection(socket, endPoint, gone.signal), context, windows);
      const leave = () => {
        gone.abort();
        proof[Symbol.dispose]();
      };
      socket.once('close', leave);
      return {
        take: (token) => proof.take(token),
        [Symbol.dispose]() {
          socket.off('close', leave);
          proof[Symbol.dispose]();
        },
      };
    },
  };
}

function provingConnection(socket: Socket, endPoint: Buffer | undefined, closed: AbortSignal): ProvingConnection {
  const { remoteAddress: address = '', localAddress = '', localPort = 0 } = socket;
  return {
    address,
    localAddress,
    localPort,
    closed,
    loopback: isLoopback(address),
    encrypted: socket instanceof TLSSocket,
    bindings: socket instanceof TLSSocket && endPoint !== undefined ? bindingsOf(socket, endPoint) : [],
  };
}

const realmsOf = ({ realmDomains = new Map() }: Settings): RealmDomains => new RealmDomains(realmDomains);
