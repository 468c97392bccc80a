import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/**
 * The identifier of a TLS channel for a server that binds logins to it (RFC 5929): up to TLS 1.2 its handshake, then
 * its certificate.
 */
export function tlsBinding(tls: TLSSocket): Buffer | undefined {
  if (tls.getProtocol() === 'TLSv1.3') {
    const { raw } = tls.getPeerCertificate();
    return raw && named('tls-server-end-point', createHash('sha256').update(raw).digest());
  }
  const finished = tls.isSessionReused() ? tls.getPeerFinished() : tls.getFinished();
  return finished && named('tls-unique', finished);
}

const named = (kind: string, data: Uint8Array): Buffer => Buffer.concat([Buffer.from(`${kind}:`), data]);
