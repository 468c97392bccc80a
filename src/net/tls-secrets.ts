import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';
import { endPointBinding } from './channel-bindings.ts';
import type { KeyPair } from './self-signed.ts';

/** The TLS versions that an operator may set as the minimum. */
export const tlsVersions = ['1.0', '1.1', '1.2', '1.3'] as const;
/** One of them. */
export type TlsVersion = (typeof tlsVersions)[number];

/** The server's certificate, prepared for both ways in which TDS uses TLS. */
export interface TlsSecrets {
  /**
   * For handshakes inside PRELOGIN packets: up to TLS 1.2, because 1.3 continues after the handshake and breaks FreeTDS
   * and Go.
   */
  readonly wrapped: SecureContext;
  /** For TDS 8, where TLS comes first. */
  readonly strict: SecureContext;
  /** The channel binding of the certificate. */
  readonly endPoint: Buffer;
}

/** Ciphers with forward secrecy and authenticated encryption. */
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
/** Ciphers for clients from before 2012, with their short hashes; OpenSSL accepts those at security level 0 only. */
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

// Renegotiation is off: a client could make the server work for nothing.
const secureOptions = constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE;

/** TLS options for up-to-date clients, such as browsers. */
export const modernTls = ({ cert, key }: KeyPair, lowest: TlsVersion) => ({
  cert,
  key,
  ciphers: forwardAndAuthenticated.join(':'),
  secureOptions,
  minVersion: named(lowest === '1.3' ? '1.3' : '1.2'),
});

/** Prepares a certificate and its key for clients with at least this TLS version. */
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
