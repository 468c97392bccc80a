import type { Socket } from 'node:net';
import { encryption, writePrelogin } from '../../src/tds/message/prelogin.ts';
import { MessageWriter, type Packet, PacketParser, packetStatus, packetTypes } from '../../src/tds/packet/index.ts';
import { writeDone, writeLoginAck } from '../../src/tds/token/index.ts';
import { modern, tdsVersions } from '../../src/tds/version.ts';
import { bareServer } from './bare-server.ts';

/** What a server that lies or fails does with the requests behind the login. */
export type Misbehaviour = (request: Packet, socket: Socket, writer: MessageWriter) => void;

/** A server that lets everybody in, and then does what a test says; it counts connections and requests. */
export async function hostileServer(misbehave: Misbehaviour) {
  const seen = { connections: 0, requests: 0, attentions: 0 };
  const server = await bareServer((socket) => {
    seen.connections += 1;
    serve(socket, (request, writer) => {
      if (request.type === packetTypes.attention) seen.attentions += 1;
      else seen.requests += 1;
      misbehave(request, socket, writer);
    });
  });
  return {
    ...server,
    seen,
    options: { ...server.options, encryption: 'off' as const, retry: { firstDelay: 1 } },
  };
}

function serve(socket: Socket, answer: (request: Packet, writer: MessageWriter) => void): void {
  const parser = new PacketParser();
  const writer = new MessageWriter(4096);
  socket.on('data', (chunk: Buffer) => {
    parser.push(chunk);
    for (let packet = parser.next(); packet; packet = parser.next()) {
      if ((packet.status & packetStatus.endOfMessage) === 0) continue;
      if (packet.type === packetTypes.prelogin) {
        const version = { major: 16, minor: 0, build: 0, subBuild: 0 };
        writePrelogin(writer.out, { version, encryption: encryption.notSupported });
        socket.write(writer.end());
      } else if (packet.type === packetTypes.login7) {
        writeLoginAck(writer.out, {
          tdsVersion: tdsVersions['7.4'],
          program: 'x',
          version: { major: 16, minor: 0, build: 0 },
        });
        writeDone(writer.out, 'done', {}, modern);
        socket.write(writer.end());
      } else answer(packet, writer);
    }
  });
}
