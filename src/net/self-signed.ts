import { createHash, createPublicKey, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import * as der from './der.ts';

/** A certificate and its private key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const oid = {
  commonName: '2.5.4.3',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

const years = 10;

/**
 * Creates a self-signed certificate for the given host names and addresses (RFC 5280). Its key is the given one, which
 * must be RSA, or a new one of 2048 bits: not all drivers from SharePoint's time support elliptic curves.
 */
export async function selfSigned(names: readonly string[], now: Date, key?: KeyObject): Promise<KeyPair> {
  const privateKey = key ?? (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey;
  const publicInfo = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const body = certificateBody(names, now, publicInfo);
  const signature = sign('sha256', body, privateKey);
  const certificate = der.sequence(body, signatureAlgorithm(), der.bits(signature));
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** TBSCertificate of RFC 5280 4.1: the signed part. */
function certificateBody(names: readonly string[], now: Date, publicInfo: Uint8Array): Buffer {
  const name = der.sequence(
    der.set(der.sequence(der.objectId(oid.commonName), der.utf8((names[0] ?? 'granary').slice(0, 64)))),
  );
  // A day of tolerance for clients whose clock is behind.
  const start = new Date(now.getTime() - 86_400_000);
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  return der.sequence(
    der.explicit(0, der.integer(2n)),
    serialNumber(),
    signatureAlgorithm(),
    name,
    der.sequence(der.time(start), der.time(end)),
    name,
    publicInfo,
    der.explicit(3, extensions(names, publicInfo)),
  );
}

function extensions(names: readonly string[], publicInfo: Uint8Array): Buffer {
  const keyId = createHash('sha1').update(publicInfo).digest();
  const digitalSignatureAndKeyEncipherment = der.bits(Uint8Array.of(0b1010_0000), 5);
  return der.sequence(
    extension(oid.basicConstraints, true, der.sequence()),
    extension(oid.keyUsage, true, digitalSignatureAndKeyEncipherment),
    extension(oid.extKeyUsage, false, der.sequence(der.objectId(oid.serverAuth))),
    extension(oid.subjectKeyIdentifier, false, der.octets(keyId)),
    extension(oid.authorityKeyIdentifier, false, der.sequence(der.implicit(0, keyId))),
    extension(oid.subjectAltName, false, der.sequence(...names.map(generalName))),
  );
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  return der.sequence(der.objectId(id), ...(critical ? [der.boolean(true)] : []), der.octets(value));
}

/** GeneralName of RFC 5280 4.2.1.6: [7] is an address in bytes, [2] a host name. */
function generalName(name: string): Buffer {
  return isIP(name) ? der.implicit(7, addressBytes(name)) : der.implicit(2, Buffer.from(name, 'ascii'));
}

/** The 4 or 16 bytes of an address. */
export function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = canonical(address).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

/** Expands an IPv6 address without a dotted tail or a zone. */
function canonical(address: string): string {
  const [plain = ''] = address.split('%');
  return plain.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const group = (high: string, low: string) => ((Number(high) << 8) | Number(low)).toString(16);
    return `${group(a, b)}:${group(c, d)}`;
  });
}

function serialNumber(): Buffer {
  // 16 random bytes whose first two bits are 01: positive and of fixed length.
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return der.integer(BigInt(`0x${bytes.toString('hex')}`));
}

function signatureAlgorithm(): Buffer {
  return der.sequence(der.objectId(oid.sha256WithRsa), der.nothing());
}

function pem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
