import { createHash, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** The binding that a certificate makes (RFC 5929 4.1): its hash, by the algorithm that it is signed with, SHA-256 at least. */
export function endPointBinding(cert: string | Buffer): Buffer {
  const certificate = new X509Certificate(cert);
  const [algorithm = 'sha256'] = /sha(?:384|512)/.exec(certificate.signatureAlgorithm?.toLowerCase() ?? '') ?? [];
  return named('tls-server-end-point', createHash(algorithm).update(certificate.raw).digest());
}

/** What names a TLS channel: the first Finished message of its handshake (RFC 5929 3.1), which TLS 1.3 has not, and the certificate. */
export function bindingsOf(tls: TLSSocket, endPoint: Buffer): readonly Buffer[] {
  if (tls.getProtocol() === 'TLSv1.3') return [endPoint];
  // A handshake that takes up an old session is finished by the server first.
  const finished = tls.isSessionReused() ? tls.getFinished() : tls.getPeerFinished();
  return finished === undefined ? [endPoint] : [named('tls-unique', finished), endPoint];
}

const named = (kind: string, data: Uint8Array): Buffer => Buffer.concat([Buffer.from(`${kind}:`), data]);
