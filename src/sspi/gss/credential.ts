import { check } from './gss-error.ts';
import { bufferOf, cell, cString, gss, oidSet, oids, pointerIn, structure } from './library.ts';

/** The keys with which a server accepts tickets. */
export interface AcceptorKeys {
  readonly keytab: string;
  /** The service principal; any in the keytab if undefined. */
  readonly principal?: string | undefined;
  /** The accepted service class, such as HTTP, if there is no single principal. */
  readonly serviceClass?: string | undefined;
  /** Where used tokens are recorded, in MIT's notation; `none:` records nothing. */
  readonly replayCache: string;
}

const forEver = 0xffffffff;
const accepting = 2;

/** A principal as a name of the library; must be released. */
export function importName(principal: string, kind = oids.krb5Name): Buffer {
  const name = cell();
  const minor = cell();
  check(gss().gss_import_name(minor, bufferOf(Buffer.from(principal)), kind, name), minor);
  return name;
}

/** The name of the accepted keys; undefined for all in the keytab. */
function wantedName({ principal, serviceClass }: AcceptorKeys): Buffer | undefined {
  if (principal !== undefined) return importName(principal);
  return serviceClass === undefined ? undefined : importName(serviceClass, oids.serviceName);
}

function acquire(keys: AcceptorKeys, mechanisms: Buffer): Buffer {
  const { keytab, replayCache } = keys;
  const minor = cell();
  const credential = cell();
  const elements = structure(cString('keytab'), cString(keytab), cString('rcache'), cString(replayCache));
  const name = wantedName(keys);
  try {
    const wanted = name === undefined ? null : pointerIn(name);
    check(
      gss().gss_acquire_cred_from(
        minor,
        wanted,
        forEver,
        mechanisms,
        accepting,
        structure(2n, elements),
        credential,
        null,
        null,
      ),
      minor,
    );
    return credential;
  } finally {
    if (name !== undefined) gss().gss_release_name(cell(), name);
  }
}

/** Throws unless there is a key to accept tickets with: SPNEGO would not notice a missing keytab. */
export function checkKeys(keys: AcceptorKeys): void {
  gss().gss_release_cred(cell(), acquire(keys, oidSet(oids.krb5)));
}

/** A credential for Kerberos tokens, raw and inside SPNEGO. */
export function acceptorCredential(keys: AcceptorKeys): Buffer {
  const credential = acquire(keys, oidSet(oids.krb5, oids.spnego));
  const minor = cell();
  // Otherwise SPNEGO would offer any other installed mechanism, and some of those terminate the process.
  check(gss().gss_set_neg_mechs(minor, pointerIn(credential), oidSet(oids.krb5)), minor);
  return credential;
}
