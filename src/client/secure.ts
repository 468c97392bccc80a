import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { NetworkOptions } from './options.ts';

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const trusted = (ca: NonNullable<NetworkOptions['ca']>): readonly Buffer[] =>
  [ca].flat().flatMap((pem) => (pem.match(pemBlock) ?? []).map((block) => new X509Certificate(block).raw));

/** A server with a certificate that was explicitly trusted is accepted whatever names it contains. */
function identityCheck(ca: NetworkOptions['ca']): ConnectionOptions['checkServerIdentity'] {
  const given = ca === undefined ? [] : trusted(ca);
  return (name: string, peer: PeerCertificate) =>
    given.some((raw) => raw.equals(peer.raw)) ? undefined : checkServerIdentity(name, peer);
}

/** OpenSSL's own texts are for its developers: thread, error number, file and line. */
const explained = (error: Error): Error =>
  'library' in error && 'reason' in error && typeof error.reason === 'string'
    ? new Error(`the TLS handshake failed: ${error.reason}`, { cause: error })
    : error;

/** Starts TLS on a stream; resolves when the handshake is complete and the server is verified. */
export function secure(stream: Duplex, options: NetworkOptions, protocol: ConnectionOptions): Promise<TLSSocket> {
  const { ca, trustServerCertificate = false, host, serverName = host } = options;
  return new Promise((resolve, reject) => {
    const tls = connect({
      ...protocol,
      socket: stream,
      host: serverName,
      // SNI permits a name, never an address (RFC 6066).
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      ...(ca === undefined ? {} : { ca: [...[ca].flat()] }),
      rejectUnauthorized: !trustServerCertificate,
      checkServerIdentity: identityCheck(ca),
    });
    const failed = (error: Error) => reject(explained(error));
    const gone = () => reject(new Error('the server closed the connection during the TLS handshake'));
    tls.once('error', failed);
    tls.once('close', gone);
    tls.once('secureConnect', () => {
      tls.off('error', failed);
      tls.off('close', gone);
      resolve(tls);
    });
  });
}
