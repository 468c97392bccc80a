import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { rc4 } from './rc4.ts';

/** Text in the encoding that NTLM hashes. */
export const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** HMAC-MD5 over several parts. */
export function hmacMd5(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const hmac = createHmac('md5', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** MD5 over several parts. */
function md5(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Compares in constant time. */
export const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

/** The key of NTLMv2 (MS-NLMP 3.3.2: NTOWFv2) from a password's hash and the user's name. */
export const responseKey = (ntHash: Uint8Array, user: string, domain: string): Buffer =>
  hmacMd5(ntHash, wide(user.toUpperCase() + domain));

/** The owner of a key: each side signs with its own. */
export type Side = 'client' | 'server';

/** Signs the first message of a side (MS-NLMP 3.4.4.2), as needed for SPNEGO's mechListMIC. */
export function firstSignature(side: Side, sessionKey: Buffer, keyLength: number, isExchanged: boolean, data: Buffer) {
  const other: Side = side === 'client' ? 'server' : 'client';
  const magic = (what: string) =>
    Buffer.from(`session key to ${side}-to-${other} ${what} key magic constant\0`, 'latin1');
  const signingKey = md5(sessionKey, magic('signing'));
  const sealingKey = md5(sessionKey.subarray(0, keyLength), magic('sealing'));
  const sequence = Buffer.alloc(4);
  const sum = hmacMd5(signingKey, sequence, data).subarray(0, 8);
  return Buffer.concat([Buffer.of(1, 0, 0, 0), isExchanged ? rc4(sealingKey, sum) : sum, sequence]);
}
