import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';
import { endPointBinding } from './channel-bindings.ts';
import type { KeyPair } from './self-signed.ts';

/** The versions of TLS that an operator may name as the lowest. */
export const tlsVersions = ['1.0', '1.1', '1.2', '1.3'] as const;
/** One of them. */
export type TlsVersion = (typeof tlsVersions)[number];

/** The server's certificate, ready for both ways in which TDS uses TLS. */
export interface TlsSecrets {
  /** Handshakes inside PRELOGIN packets: up to TLS 1.2, because 1.3 goes on after the handshake and breaks FreeTDS and Go. */
  readonly wrapped: SecureContext;
  /** TDS 8, where TLS comes first. */
  readonly strict: SecureContext;
  /** The channel binding that the certificate makes. */
  readonly endPoint: Buffer;
}

/** A key that is stolen later opens nothing that was sent before, and nothing can be changed on the way. */
const forwardAndAuthenticated = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];
/** What clients of the years before 2012 know, and their short hashes; OpenSSL takes those at level 0 only. */
const old = [
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-RSA-AES256-SHA',
  'AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
  'AES128-SHA',
  'AES256-SHA',
  '@SECLEVEL=0',
];

// A client that shakes hands again and again makes the server work for nothing.
const secureOptions = constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE;

/** TLS for clients of which none is old, such as browsers. */
export const modernTls = ({ cert, key }: KeyPair, lowest: TlsVersion) => ({
  cert,
  key,
  ciphers: forwardAndAuthenticated.join(':'),
  secureOptions,
  minVersion: named(lowest === '1.3' ? '1.3' : '1.2'),
});

/** Prepares a certificate and its key for clients that speak a version of TLS or a newer one. */
export function tlsSecrets(pair: KeyPair, lowest: TlsVersion): TlsSecrets {
  const isOld = lowest === '1.0' || lowest === '1.1';
  const modern = modernTls(pair, lowest);
  const ciphers = [...forwardAndAuthenticated, ...(isOld ? old : [])].join(':');
  const minVersion = named(isOld ? lowest : '1.2');
  return {
    wrapped: createSecureContext({ ...modern, ciphers, minVersion, maxVersion: 'TLSv1.2' }),
    strict: createSecureContext({ ...modern, ciphers }),
    endPoint: endPointBinding(pair.cert),
  };
}

const named = (version: TlsVersion): SecureVersion => (version === '1.0' ? 'TLSv1' : `TLSv${version}`);
