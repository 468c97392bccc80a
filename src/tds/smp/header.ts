import { SqlError } from '../../base/messages/sql-error.ts';
import { maxPacketSize } from '../packet/index.ts';

/** The flags of [MC-SMP] 2.2.1.1; a packet has exactly one of them. */
export const smpFlags = { syn: 0x01, ack: 0x02, fin: 0x04, data: 0x08 } as const;

/** One of the flags. */
export type SmpFlag = (typeof smpFlags)[keyof typeof smpFlags];

export const smpHeaderLength = 16;
/** The first byte of every SMP packet. */
const smid = 0x53;
/** The number of packets that either side may send without an acknowledgement ([MC-SMP] 2.2.2). */
export const smpWindow = 4;
/** The maximum size of a DATA packet, which carries one TDS packet. */
const longest = smpHeaderLength + maxPacketSize;

const known: ReadonlySet<number> = new Set(Object.values(smpFlags));
const isFlag = (byte: number): byte is SmpFlag => known.has(byte);

/** The sixteen bytes of [MC-SMP] 2.2.1. */
export interface SmpHeader {
  readonly flag: SmpFlag;
  /** The session id. */
  readonly sid: number;
  /** The length of header and data. */
  readonly length: number;
  readonly sequence: number;
  /** The last DATA packet that the sender allows the other side to send. */
  readonly window: number;
}

/** The error of a protocol violation, which ends the connection. */
export const brokenMultiplex = (reason: string): SqlError =>
  new SqlError(4002, `The session multiplex protocol (SMP) stream is incorrect. ${reason}`, { severity: 20 });

/** Decodes a header, which the buffer must contain. */
export function decodeSmpHeader(bytes: Buffer): SmpHeader {
  if (bytes[0] !== smid) throw brokenMultiplex('A packet is not an SMP packet.');
  const flag = bytes.readUInt8(1);
  if (!isFlag(flag)) throw brokenMultiplex(`The flags 0x${flag.toString(16).padStart(2, '0')} are not allowed.`);
  const length = bytes.readUInt32LE(4);
  if (flag === smpFlags.data ? length < smpHeaderLength : length !== smpHeaderLength) {
    throw brokenMultiplex(`A packet cannot have ${length} bytes.`);
  }
  if (length > longest) throw brokenMultiplex(`A packet of ${length} bytes is over the limit of ${longest}.`);
  return {
    flag,
    sid: bytes.readUInt16LE(2),
    length,
    sequence: bytes.readUInt32LE(8),
    window: bytes.readUInt32LE(12),
  };
}

/** A packet: the header, followed by the data if there are any. */
export function encodeSmp(header: Omit<SmpHeader, 'length'>, data?: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(smpHeaderLength + (data?.length ?? 0));
  bytes[0] = smid;
  bytes[1] = header.flag;
  bytes.writeUInt16LE(header.sid, 2);
  bytes.writeUInt32LE(bytes.length, 4);
  bytes.writeUInt32LE(header.sequence, 8);
  bytes.writeUInt32LE(header.window, 12);
  if (data !== undefined) bytes.set(data, smpHeaderLength);
  return bytes;
}

/** The next sequence number; they wrap around. */
export const nextSequence = (number: number): number => (number + 1) >>> 0;

/** How far one number is ahead of another; negative if it is behind. */
export const ahead = (number: number, of: number): number => (number - of) | 0;
