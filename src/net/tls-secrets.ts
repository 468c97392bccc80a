import { createSecureContext, type SecureContext } from 'node:tls';

/** The server's certificate, ready for both ways in which TDS uses TLS. */
export interface TlsSecrets {
  /** Handshakes inside PRELOGIN packets: TLS 1.2, because 1.3 goes on after the handshake and breaks FreeTDS and Go. */
  readonly wrapped: SecureContext;
  /** TDS 8, where TLS comes first. */
  readonly strict: SecureContext;
}

/** Reads a certificate and its key, both in PEM. */
export function tlsSecrets(pair: { readonly cert: string; readonly key: string }): TlsSecrets {
  return {
    wrapped: createSecureContext({ ...pair, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }),
    strict: createSecureContext({ ...pair, minVersion: 'TLSv1.2' }),
  };
}
