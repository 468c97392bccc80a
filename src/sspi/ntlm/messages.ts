import { refuse } from '../negotiation.ts';
import { wide } from './crypto.ts';

const signature = Buffer.from('NTLMSSP\0', 'latin1');

/** The flags that are evaluated here (MS-NLMP 2.2.2.5). */
export const ntlmFlags = {
  unicode: 0x1,
  oem: 0x2,
  requestTarget: 0x4,
  sign: 0x10,
  seal: 0x20,
  ntlm: 0x200,
  anonymous: 0x800,
  alwaysSign: 0x8000,
  targetIsDomain: 0x10000,
  extendedSecurity: 0x80000,
  targetInfo: 0x800000,
  version: 0x2000000,
  key128: 0x20000000,
  keyExchange: 0x40000000,
  key56: 0x80000000,
} as const;

/** True for an NTLM token without SPNEGO. */
export const isNtlm = (token: Buffer): boolean => token.subarray(0, signature.length).equals(signature);

/** The type of a message: 1 NEGOTIATE, 2 CHALLENGE, 3 AUTHENTICATE. */
export function messageType(token: Buffer): number {
  if (token.length < 16 || !isNtlm(token)) return refuse('a message is not an NTLM message');
  return token.readUInt32LE(8);
}

/** The flags of NEGOTIATE. */
export const negotiateFlags = (token: Buffer): number => token.readUInt32LE(12);

/** The version in CHALLENGE, in the format of Windows: 10.0, NTLM revision 15. */
const version = Buffer.of(10, 0, 0, 0, 0, 0, 0, 15);
const challengeHead = 56;

/** Writes CHALLENGE (MS-NLMP 2.2.1.2). */
export function writeChallenge(flags: number, challenge: Buffer, targetName: string, targetInfo: Buffer): Buffer {
  const target = flags & ntlmFlags.unicode ? wide(targetName) : Buffer.from(targetName, 'latin1');
  const head = Buffer.alloc(challengeHead);
  signature.copy(head);
  head.writeUInt32LE(2, 8);
  writeField(head, 12, target.length, challengeHead);
  head.writeUInt32LE(flags >>> 0, 20);
  challenge.copy(head, 24);
  writeField(head, 40, targetInfo.length, challengeHead + target.length);
  version.copy(head, 48);
  return Buffer.concat([head, target, targetInfo]);
}

function writeField(head: Buffer, at: number, length: number, offset: number): void {
  head.writeUInt16LE(length, at);
  head.writeUInt16LE(length, at + 2);
  head.writeUInt32LE(offset, at + 4);
}

/** The client's proof (MS-NLMP 2.2.1.3). */
export interface Authenticate {
  readonly lmResponse: Buffer;
  readonly ntResponse: Buffer;
  readonly domain: string;
  readonly user: string;
  readonly encryptedSessionKey: Buffer;
  readonly flags: number;
}

const authenticateHead = 64;
const longestName = 256;

/** Reads AUTHENTICATE; every field must lie within it. */
export function readAuthenticate(token: Buffer): Authenticate {
  if (token.length < authenticateHead) return refuse('AUTHENTICATE is too short');
  const flags = token.readUInt32LE(60);
  const field = (at: number): Buffer => {
    const length = token.readUInt16LE(at);
    const start = token.readUInt32LE(at + 4);
    if (start + length > token.length) return refuse('a field of AUTHENTICATE lies outside the message');
    return token.subarray(start, start + length);
  };
  const text = (at: number): string => {
    const name = field(at).toString(flags & ntlmFlags.unicode ? 'utf16le' : 'latin1');
    return name.length > longestName ? refuse('a name in AUTHENTICATE is too long') : name;
  };
  return {
    lmResponse: field(12),
    ntResponse: field(20),
    domain: text(28),
    user: text(36),
    encryptedSessionKey: field(52),
    flags,
  };
}

/** The position of the MIC in AUTHENTICATE, if there is one. */
export const micPlace = { start: 72, end: 88 } as const;
