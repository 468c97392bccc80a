import { join } from 'node:path';
import type { Accounts } from './accounts/accounts.ts';
import type { Clock } from './base/clock.ts';
import type { Settings } from './cli/settings.ts';
import { RealmDomains } from './sspi/domain-name.ts';
import type { Kerberos } from './sspi/kerberos-acceptor.ts';
import { WindowsAuthentication } from './sspi/windows-authentication.ts';

/** Opens what Kerberos needs, when a keytab is configured; throws when the library, the keytab or a key is not there. */
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
): WindowsAuthentication | undefined {
  const { ntlm, ntlmDomain, serverName, extendedProtection, servicePrincipal } = settings;
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
    servicePrincipal,
  });
}

const realmsOf = ({ realmDomains = new Map() }: Settings): RealmDomains => new RealmDomains(realmDomains);
