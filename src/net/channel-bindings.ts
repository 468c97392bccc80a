import { createHash, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/**
 * The channel binding of a certificate (RFC 5929 4.1): its hash, with the algorithm of its signature, at least SHA-256.
 */
export function endPointBinding(cert: string | Buffer): Buffer {
  const certificate = new X509Certificate(cert);
  const [algorithm = 'sha256'] = /sha(?:384|512)/.exec(certificate.signatureAlgorithm?.toLowerCase() ?? '') ?? [];
  return named('tls-server-end-point', createHash(algorithm).update(certificate.raw).digest());
}

/**
 * The bindings of a TLS channel: the first Finished message of its handshake (RFC 5929 3.1), which TLS 1.3 lacks, and
 * the certificate.
 */
export function bindingsOf(tls: TLSSocket, endPoint: Buffer): readonly Buffer[] {
  if (tls.getProtocol() === 'TLSv1.3') return [endPoint];
  // In a resumed session, the server sends its Finished first.
  const finished = tls.isSessionReused() ? tls.getFinished() : tls.getPeerFinished();
  return finished === undefined ? [endPoint] : [named('tls-unique', finished), endPoint];
}

const named = (kind: string, data: Uint8Array): Buffer => Buffer.concat([Buffer.from(`${kind}:`), data]);
