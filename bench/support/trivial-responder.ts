import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { NetworkOptions } from '../../src/client/options.ts';
import { ByteWriter } from '../../src/tds/byte-writer.ts';
import { encryption, writePrelogin } from '../../src/tds/message/prelogin.ts';
import { PacketParser, packetize, packetStatus, packetTypes } from '../../src/tds/packet/index.ts';
import { writeDone } from '../../src/tds/token/done.ts';
import { writeLoginAck } from '../../src/tds/token/login-ack.ts';
import { modern, tdsVersions } from '../../src/tds/version.ts';

/**
 * A process that answers every TDS message with the end of a call and does nothing else: what the wire itself costs on
 * this machine, and so a bound for whatever answers in truth.
 */
export class TrivialResponder implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #port: number;

  private constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.#port = port;
  }

  static async start(): Promise<TrivialResponder> {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'serve'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    return new TrivialResponder(child, Number(line));
  }

  get address(): NetworkOptions {
    return { host: '127.0.0.1', port: this.#port, user: 'sa', password: '', database: 'master', encryption: 'off' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.kill();
    await gone;
  }
}

const packetSize = 4096;

function answerOf(write: (out: ByteWriter) => void): Buffer {
  const out = new ByteWriter();
  write(out);
  return packetize(out.take(), { type: packetTypes.reply, packetSize });
}

function serve(): void {
  const version = { major: 1, minor: 0, build: 0, subBuild: 0 };
  const hello = answerOf((out) =>
    writePrelogin(out, { version, encryption: encryption.notSupported, instance: '', threadId: 0, mars: false }),
  );
  const welcome = answerOf((out) => {
    writeLoginAck(out, { tdsVersion: tdsVersions['7.4'], program: 'Trivial responder', version });
    writeDone(out, 'done', {}, modern);
  });
  const done = answerOf((out) => writeDone(out, 'doneProc', {}, modern));
  const answers = new Map<number, Buffer>([
    [packetTypes.prelogin, hello],
    [packetTypes.login7, welcome],
  ]);
  const server = createServer({ noDelay: true }, (socket) => {
    const parser = new PacketParser();
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      parser.push(chunk);
      for (let packet = parser.next(); packet; packet = parser.next()) {
        if ((packet.status & packetStatus.endOfMessage) === 0) continue;
        socket.write(answers.get(packet.type) ?? done);
      }
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(address !== null && typeof address === 'object' ? address.port : 0);
  });
}

if (process.argv[2] === 'serve' && process.argv[1] === fileURLToPath(import.meta.url)) serve();
