import { check } from './gss-error.ts';
import { bufferOf, cell, cString, gss, oidSet, oids, pointerIn, structure } from './library.ts';

/** The key that a server accepts tickets with. */
export interface AcceptorKeys {
  readonly keytab: string;
  /** The one service principal; any of the keytab when there is none. */
  readonly principal?: string | undefined;
  /** Where tokens that were used are noted, as MIT names it; `none:` notes nothing. */
  readonly replayCache: string;
}

const forEver = 0xffffffff;
const accepting = 2;

/** A principal as the library knows it; to be released. */
export function importName(principal: string): Buffer {
  const name = cell();
  const minor = cell();
  check(gss().gss_import_name(minor, bufferOf(Buffer.from(principal)), oids.krb5Name, name), minor);
  return name;
}

function acquire({ keytab, principal, replayCache }: AcceptorKeys, mechanisms: Buffer): Buffer {
  const minor = cell();
  const credential = cell();
  const elements = structure(cString('keytab'), cString(keytab), cString('rcache'), cString(replayCache));
  const name = principal === undefined ? undefined : importName(principal);
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

/** Throws unless there is a key to accept tickets with: for SPNEGO a missing keytab would go unnoticed. */
export function checkKeys(keys: AcceptorKeys): void {
  gss().gss_release_cred(cell(), acquire(keys, oidSet(oids.krb5)));
}

/** A credential for tokens of Kerberos, raw and inside SPNEGO. */
export function acceptorCredential(keys: AcceptorKeys): Buffer {
  const credential = acquire(keys, oidSet(oids.krb5, oids.spnego));
  const minor = cell();
  // Else SPNEGO would offer whatever other mechanism is installed, and some of those end the process.
  check(gss().gss_set_neg_mechs(minor, pointerIn(credential), oidSet(oids.krb5)), minor);
  return credential;
}
