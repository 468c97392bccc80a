import { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { malformed } from '../stream-error.ts';
import { structurally } from './structure.ts';

/** The ENCRYPTION option of PRELOGIN. */
export const encryption = { off: 0, on: 1, notSupported: 2, required: 3 } as const;

/** The options of PRELOGIN (MS-TDS 2.2.6.5). */
export interface Prelogin {
  readonly version?: {
    readonly major: number;
    readonly minor: number;
    readonly build: number;
    readonly subBuild: number;
  };
  readonly encryption?: number;
  /** The instance that a client requests; a server answers with an empty name. */
  readonly instance?: string;
  /** The client's thread; null for the empty option of a server. */
  readonly threadId?: number | null;
  readonly mars?: boolean;
  /** Connection id (16 bytes), activity id (16 bytes) and its sequence number. */
  readonly traceId?: Uint8Array;
  readonly federatedAuthentication?: number;
  readonly nonce?: Uint8Array;
}

const options = {
  version: 0x00,
  encryption: 0x01,
  instance: 0x02,
  threadId: 0x03,
  mars: 0x04,
  traceId: 0x05,
  federatedAuthentication: 0x06,
  nonce: 0x07,
} as const;
const terminator = 0xff;

/** An instance is a NUL-terminated name; clients differ in whether they send the NUL. */
function readName(bytes: ByteReader): string {
  const text = bytes.bytes(bytes.remaining).toString('latin1');
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

/** Reads one option; unknown options are ignored, as MS-TDS requires. */
function readOption(token: number, bytes: ByteReader): Prelogin {
  switch (token) {
    case options.version:
      return { version: { major: bytes.u8(), minor: bytes.u8(), build: bytes.u16be(), subBuild: bytes.u16() } };
    case options.encryption:
      return { encryption: bytes.u8() };
    case options.instance:
      return { instance: readName(bytes) };
    case options.threadId:
      return { threadId: bytes.remaining === 0 ? null : bytes.u32be() };
    case options.mars:
      return { mars: bytes.u8() !== 0 };
    case options.traceId:
      return { traceId: bytes.bytes(bytes.remaining) };
    case options.federatedAuthentication:
      return { federatedAuthentication: bytes.u8() };
    case options.nonce:
      return { nonce: bytes.bytes(bytes.remaining) };
    default:
      return {};
  }
}

/** Decodes PRELOGIN; throws SqlError 17828 if its structure is invalid. */
export function decodePrelogin(payload: Uint8Array): Prelogin {
  return structurally(17828, () => {
    const table = new ByteReader(payload);
    let read: Prelogin = {};
    for (let token = table.u8(); token !== terminator; token = table.u8()) {
      const offset = table.u16be();
      const length = table.u16be();
      if (offset + length > payload.length) throw malformed('A PRELOGIN option lies outside the message.');
      read = { ...read, ...readOption(token, new ByteReader(payload, offset, offset + length)) };
    }
    if (read.version === undefined) throw malformed('PRELOGIN has no version.');
    return read;
  });
}

function optionBytes(given: Prelogin): [number, Buffer][] {
  const list: [number, Buffer][] = [];
  const { version } = given;
  if (version !== undefined) {
    const bytes = Buffer.alloc(6);
    bytes.writeUInt8(version.major, 0);
    bytes.writeUInt8(version.minor, 1);
    bytes.writeUInt16BE(version.build, 2);
    bytes.writeUInt16LE(version.subBuild, 4);
    list.push([options.version, bytes]);
  }
  if (given.encryption !== undefined) list.push([options.encryption, Buffer.of(given.encryption)]);
  if (given.instance !== undefined) list.push([options.instance, Buffer.from(`${given.instance}\0`, 'latin1')]);
  if (given.threadId !== undefined) {
    const bytes = Buffer.alloc(given.threadId === null ? 0 : 4);
    if (given.threadId !== null) bytes.writeUInt32BE(given.threadId);
    list.push([options.threadId, bytes]);
  }
  if (given.mars !== undefined) list.push([options.mars, Buffer.of(given.mars ? 1 : 0)]);
  if (given.traceId !== undefined) list.push([options.traceId, Buffer.from(given.traceId)]);
  if (given.federatedAuthentication !== undefined) {
    list.push([options.federatedAuthentication, Buffer.of(given.federatedAuthentication)]);
  }
  if (given.nonce !== undefined) list.push([options.nonce, Buffer.from(given.nonce)]);
  return list;
}

/** Writes PRELOGIN, of a client or a server: the given options, in the order of their tokens. */
export function writePrelogin(out: ByteWriter, given: Prelogin): void {
  const list = optionBytes(given);
  let offset = list.length * 5 + 1;
  for (const [token, bytes] of list) {
    out.u8(token);
    out.u16be(offset);
    out.u16be(bytes.length);
    offset += bytes.length;
  }
  out.u8(terminator);
  for (const [, bytes] of list) out.bytes(bytes);
}
