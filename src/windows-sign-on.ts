import type { Accounts } from './accounts/accounts.ts';
import type { Clock } from './base/clock.ts';
import type { Settings } from './cli/settings.ts';
import { RealmDomains } from './sspi/domain-name.ts';
import { WindowsAuthentication } from './sspi/windows-authentication.ts';

/** Puts together how Windows users prove who they are; undefined when neither Kerberos nor NTLM is configured. */
export function createWindowsAuthentication(
  { ntlm, ntlmDomain, serverName, realmDomains = new Map(), extendedProtection, servicePrincipal }: Settings,
  accounts: Accounts,
  clock: Clock,
): WindowsAuthentication | undefined {
  if (ntlm === 'off') return undefined;
  const computer = serverName.toUpperCase();
  return new WindowsAuthentication({
    clock,
    ntlm: {
      domain: ntlmDomain ?? computer,
      computer,
      prove: (name, address, check, signal) => accounts.windows.prove(name, address, check, signal),
    },
    realms: new RealmDomains(realmDomains),
    protection: extendedProtection,
    servicePrincipal,
  });
}
