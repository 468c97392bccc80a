export { HandshakeFlight } from './handshake-flight.ts';
export * from './header.ts';
export { type Message, MessageAssembler, type Reset } from './message-assembler.ts';
export { MessageWriter, packetize } from './message-writer.ts';
export { type Packet, PacketParser } from './packet-parser.ts';
export { PayloadStream } from './payload-stream.ts';
