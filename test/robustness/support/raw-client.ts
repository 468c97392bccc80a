import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ByteWriter } from '../../../src/tds/byte-writer.ts';
import { type LoginRequest, writeLogin7 } from '../../../src/tds/message/login7-writer.ts';
import { decodePrelogin, encryption, type Prelogin, writePrelogin } from '../../../src/tds/message/prelogin.ts';
import { type CallRequest, writeRpc } from '../../../src/tds/message/rpc.ts';
import { type TransactionAction, writeTransactionRequest } from '../../../src/tds/message/transaction-request.ts';
import {
  defaultPacketSize,
  type Packet,
  PacketParser,
  type PacketType,
  packetize,
  packetStatus,
  packetTypes,
} from '../../../src/tds/packet/index.ts';
import { type Token, TokenParser } from '../../../src/tds/token/index.ts';
import { type Dialect, dialectOf, modern, tdsVersions } from '../../../src/tds/version.ts';
import { password } from '../../support/server.ts';

const clientVersion = { major: 1, minor: 0, build: 0, subBuild: 0 };

/** The bytes that a function writes. */
export function written(write: (out: ByteWriter) => void): Buffer {
  const out = new ByteWriter();
  write(out);
  return out.take();
}

/** PRELOGIN of a client that cannot encrypt, unless it says otherwise. */
export const preloginPayload = (changes: Prelogin = {}): Buffer =>
  written((out) =>
    writePrelogin(out, { version: clientVersion, encryption: encryption.notSupported, mars: false, ...changes }),
  );

/** LOGIN7 as sa. */
export const loginPayload = (changes: Partial<LoginRequest> = {}): Buffer =>
  written((out) => writeLogin7(out, { userName: 'sa', password, database: 'Lab', appName: 'raw', ...changes }));

/** An RPC message. */
export const rpcPayload = (calls: readonly CallRequest[], dialect: Dialect = modern): Buffer =>
  written((out) => writeRpc(out, calls, dialect));

/** A client on a bare socket: it sends whatever a test wants and reads packets and tokens as they come. */
export class RawClient implements AsyncDisposable {
  readonly socket: Socket;
  dialect: Dialect = modern;
  packetSize = defaultPacketSize;
  readonly #parser = new PacketParser();
  readonly #chunks: Buffer[] = [];
  #ended = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    socket.on('end', end);
    socket.on('close', end);
    socket.on('error', end); // a reset ends a connection as an end does
  }

  static async connect(port: number, host = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host });
    const client = new RawClient(socket);
    await once(socket, 'connect');
    return client;
  }

  /** Connects as TDS 8 does: TLS comes first. */
  static async strict(port: number, ca: string): Promise<RawClient> {
    const socket = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca, ALPNProtocols: ['tds/8.0'] });
    const client = new RawClient(socket);
    await once(socket, 'secureConnect');
    return client;
  }

  /** Connects and logs in, after PRELOGIN, without TLS. */
  static async login(port: number, changes: Partial<LoginRequest> = {}): Promise<RawClient> {
    const client = await RawClient.connect(port);
    await client.prelogin();
    const tokens = await client.logIn(changes);
    const error = tokens.find((token) => token.token === 'error');
    assert.equal(error, undefined, `the login was refused: ${JSON.stringify(error)}`);
    return client;
  }

  /** Sends bytes as they are. */
  write(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Sends a payload as one message. */
  send(type: PacketType, payload: Uint8Array, status = 0): void {
    this.write(packetize(payload, { type, packetSize: this.packetSize, status }));
  }

  async prelogin(changes: Prelogin = {}): Promise<Prelogin> {
    this.send(packetTypes.prelogin, preloginPayload(changes));
    const payload = await this.payload();
    assert.ok(payload, 'PRELOGIN was not answered');
    return decodePrelogin(payload);
  }

  /** Sends LOGIN7 and returns the answer. */
  async logIn(changes: Partial<LoginRequest> = {}): Promise<Token[]> {
    this.dialect = dialectOf(changes.tdsVersion ?? tdsVersions['7.4']);
    this.send(packetTypes.login7, loginPayload(changes));
    const tokens = await this.tokens();
    for (const token of tokens) {
      if (token.token === 'envChange' && token.change?.kind === 'packetSize')
        this.packetSize = Number(token.change.now);
    }
    return tokens;
  }

  async rpc(procedure: string | number, params: CallRequest['params'] = [], status = 0): Promise<Token[]> {
    this.sendRpc([{ procedure, params }], status);
    return this.tokens();
  }

  sendRpc(calls: readonly CallRequest[], status = 0): void {
    this.send(packetTypes.rpc, rpcPayload(calls, this.dialect), status);
  }

  async batch(text: string): Promise<Token[]> {
    this.sendBatch(text);
    return this.tokens();
  }

  sendBatch(text: string): void {
    // An RPC without calls is the headers that a batch begins with too.
    this.send(packetTypes.sqlBatch, Buffer.concat([rpcPayload([], this.dialect), Buffer.from(text, 'utf16le')]));
  }

  async transaction(action: TransactionAction, status = 0): Promise<Token[]> {
    this.send(
      packetTypes.transaction,
      written((out) => writeTransactionRequest(out, action, this.dialect)),
      status,
    );
    return this.tokens();
  }

  attention(): void {
    this.send(packetTypes.attention, Buffer.alloc(0));
  }

  /** The next packet; undefined when the server has closed. */
  async packet(): Promise<Packet | undefined> {
    for (;;) {
      const packet = this.#parser.next();
      if (packet) return packet;
      const chunk = this.#chunks.shift();
      if (chunk) this.#parser.push(chunk);
      else if (this.#ended) return undefined;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /** The payload of the next message; undefined when the server closed before its end. */
  async payload(): Promise<Buffer | undefined> {
    const payloads: Buffer[] = [];
    for (let packet = await this.packet(); packet; packet = await this.packet()) {
      payloads.push(packet.payload);
      if (packet.status & packetStatus.endOfMessage) return Buffer.concat(payloads);
    }
    return undefined;
  }

  /** Hands the tokens of the next message to `take` as they come; false when the server closed before its end. */
  async each(take: (token: Token) => void): Promise<boolean> {
    const parser = new TokenParser(this.dialect);
    for (let packet = await this.packet(); packet; packet = await this.packet()) {
      parser.push(packet.payload);
      const last = (packet.status & packetStatus.endOfMessage) !== 0;
      if (last) parser.end();
      for (let token = parser.next(); token; token = parser.next()) take(token);
      if (last) return true;
    }
    return false;
  }

  /** The tokens of the next message, which must come. */
  async tokens(): Promise<Token[]> {
    const tokens: Token[] = [];
    assert.ok(await this.each((token) => tokens.push(token)), 'the server closed before its answer had ended');
    return tokens;
  }

  /** Resolves when the server has closed, with the tokens of what it said before. */
  async lastWords(): Promise<Token[]> {
    const tokens: Token[] = [];
    while (await this.each((token) => tokens.push(token)));
    return tokens;
  }

  /** Goes away without a word. */
  vanish(): void {
    // libuv cannot reset a socket that is being shut down: its handle would never close, nor this process end.
    if (this.socket.writableEnded) this.socket.destroy();
    else this.socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.socket.closed) return;
    const closed = once(this.socket, 'close');
    this.socket.destroy();
    await closed;
  }
}
