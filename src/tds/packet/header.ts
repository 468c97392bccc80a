import { SqlError } from '../../base/messages/sql-error.ts';

/** The packet types of MS-TDS 2.2.3.1.1 that a client or a server may send. */
export const packetTypes = {
  sqlBatch: 0x01,
  oldLogin: 0x02,
  rpc: 0x03,
  reply: 0x04,
  attention: 0x06,
  bulkLoad: 0x07,
  federatedToken: 0x08,
  transaction: 0x0e,
  login7: 0x10,
  sspi: 0x11,
  prelogin: 0x12,
} as const;

/** One of the packet types. */
export type PacketType = (typeof packetTypes)[keyof typeof packetTypes];

/** The status bits of MS-TDS 2.2.3.1.2. */
export const packetStatus = {
  endOfMessage: 0x01,
  /** With endOfMessage: the client cancels the message it is sending. */
  ignore: 0x02,
  resetConnection: 0x08,
  resetConnectionKeepTransaction: 0x10,
} as const;

export const headerLength = 8;
const minPacketSize = 512;
export const maxPacketSize = 32_767;
/** The packet size for a client that does not request a particular one. */
export const defaultPacketSize = 4096;

const known: ReadonlySet<number> = new Set(Object.values(packetTypes));
/** The first byte of a session multiplex packet ([MC-SMP] 2.2.1), which requires MARS. */
const smp = 0x53;

/** True for bytes that may start a packet. */
const isPacketType = (byte: number): byte is PacketType => known.has(byte);

/** The packet size for a client's request: 0 means the default, anything else is clamped to the valid range. */
export const clampPacketSize = (asked: number): number =>
  asked === 0 ? defaultPacketSize : Math.min(maxPacketSize, Math.max(minPacketSize, asked));

/** The error of a stream that cannot be parsed any further; severity 20 ends the connection. */
export const brokenStream = (reason: string): SqlError =>
  new SqlError(4002, `The incoming tabular data stream (TDS) protocol stream is incorrect. ${reason}`, {
    severity: 20,
  });

/** The header of a packet. */
export interface PacketHeader {
  readonly type: PacketType;
  readonly status: number;
  /** The length of header and payload. */
  readonly length: number;
  readonly spid: number;
  readonly id: number;
}

/** Decodes the eight bytes of MS-TDS 2.2.3.1, which the buffer must contain. */
export function decodeHeader(bytes: Buffer, sizeLimit: number = maxPacketSize): PacketHeader {
  const type = bytes.readUInt8(0);
  if (type === smp) throw brokenStream('The packet belongs to multiple active result sets, which were not negotiated.');
  if (!isPacketType(type)) throw brokenStream(`Packet type 0x${type.toString(16).padStart(2, '0')} is unknown.`);
  const length = bytes.readUInt16BE(2);
  if (length < headerLength) throw brokenStream(`A packet of ${length} bytes is shorter than its header.`);
  if (length > sizeLimit) throw brokenStream(`A packet of ${length} bytes is over the limit of ${sizeLimit}.`);
  return { type, status: bytes.readUInt8(1), length, spid: bytes.readUInt16BE(4), id: bytes.readUInt8(6) };
}

/** Writes the eight bytes at an offset of a buffer. */
export function encodeHeader(bytes: Buffer, at: number, header: PacketHeader): void {
  bytes[at] = header.type;
  bytes[at + 1] = header.status;
  bytes[at + 2] = header.length >>> 8;
  bytes[at + 3] = header.length;
  bytes[at + 4] = header.spid >>> 8;
  bytes[at + 5] = header.spid;
  bytes[at + 6] = header.id;
  bytes[at + 7] = 0;
}
