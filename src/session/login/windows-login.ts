import { release } from '../../base/memory/release.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import type { Vouched } from '../../base/vouched.ts';
import { ByteWriter } from '../../tds/byte-writer.ts';
import { defaultPacketSize, packetize, packetTypes } from '../../tds/packet/index.ts';
import { writeSspi } from '../../tds/token/index.ts';
import type { Channel } from '../channel.ts';
import type { ServerContext } from '../context.ts';
import { WindowsProof } from './windows-proof.ts';

/** A Windows user that has logged in over TDS. */
export interface WindowsLogin extends Vouched {
  /** The server's last token, to be sent with LOGINACK; it may be empty. */
  readonly reply: Uint8Array;
}

/** Authenticates a client by SSPI, token by token; its first token came with LOGIN7. */
export async function windowsLogin(
  spid: number,
  channel: Channel,
  context: ServerContext,
  sent: Uint8Array,
): Promise<WindowsLogin> {
  using proof = new WindowsProof(channel, context, context.windows);
  const first = Buffer.from(sent);
  try {
    for (let token = first; ; token = await nextToken(channel, proof)) {
      const { reply, admitted } = await proof.take(token);
      if (admitted !== undefined) return { ...admitted, reply };
      const out = new ByteWriter(reply.length + 3);
      writeSspi(out, reply);
      channel.write(packetize(out.take(), { type: packetTypes.reply, packetSize: defaultPacketSize, spid }));
    }
  } finally {
    release(first);
  }
}

/** The client's next token: a message of its own type (MS-TDS 2.2.1.2), which python-tds sends as a login. */
async function nextToken(channel: Channel, proof: WindowsProof): Promise<Buffer<ArrayBuffer>> {
  const message = await channel.receive();
  if (message === undefined) return proof.refuse('the client disconnected during the negotiation');
  if (message.type !== packetTypes.sspi && message.type !== packetTypes.login7) throw sqlError(17832);
  // Copied, because the message's memory may be reused.
  return Buffer.from(message.payload);
}
