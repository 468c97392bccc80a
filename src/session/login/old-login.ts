import { ByteWriter } from '../../tds/byte-writer.ts';
import { defaultPacketSize, packetize, packetTypes } from '../../tds/packet/index.ts';
import { doneStatus, tokenTypes } from '../../tds/token/index.ts';
import type { Channel } from '../channel.ts';

const refusal = { number: 17832, state: 1, severity: 20 };
const text =
  'The client asks to log in with TDS 5.0 or older; this server speaks TDS 7.0 to 8.0. The connection is closed.';

/**
 * Refuses a client that logs in with a version before TDS 7, in tokens that it can read: single-byte characters, a line
 * number of two bytes, a DONE count of four.
 */
export function refuseOldLogin(channel: Channel, spid: number, serverName: string): void {
  const message = Buffer.from(text, 'latin1');
  const server = Buffer.from(serverName, 'latin1').subarray(0, 30);
  const out = new ByteWriter(512);
  out.u8(tokenTypes.error);
  out.u16(4 + 1 + 1 + 2 + message.length + 1 + server.length + 1 + 2);
  out.i32(refusal.number);
  out.u8(refusal.state);
  out.u8(refusal.severity);
  out.u16(message.length);
  out.bytes(message);
  out.u8(server.length);
  out.bytes(server);
  out.u8(0); // no procedure
  out.u16(1);
  out.u8(tokenTypes.done);
  out.u16(doneStatus.error);
  out.u16(0);
  out.u32(0);
  channel.write(packetize(out.take(), { type: packetTypes.reply, packetSize: defaultPacketSize, spid }));
}
