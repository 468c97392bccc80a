import { KerberosInitiator } from '../sspi/kerberos-initiator.ts';
import type { WindowsSignOn } from './options.ts';

/** Logs in as the user that this process has a Kerberos ticket of, through the system's libgssapi_krb5. */
export function kerberos(): WindowsSignOn & AsyncDisposable {
  return new KerberosInitiator();
}
