import assert from 'node:assert/strict';
import type { LoginRequest } from '../../../src/tds/message/login7-writer.ts';
import { type CallRequest, writeRpc } from '../../../src/tds/message/rpc.ts';
import { writeSqlBatch } from '../../../src/tds/message/sql-batch.ts';
import { type TransactionAction, writeTransactionRequest } from '../../../src/tds/message/transaction-request.ts';
import {
  type Packet,
  PacketParser,
  type PacketType,
  packetize,
  packetStatus,
  packetTypes,
} from '../../../src/tds/packet/index.ts';
import { encodeSmp, type SmpFlag, type SmpPacket, SmpParser, smpFlags } from '../../../src/tds/smp/index.ts';
import { type Token, TokenParser } from '../../../src/tds/token/index.ts';
import { RawClient, written } from './raw-client.ts';

/** A bare connection with MARS: it sends whatever packets of SMP a test wants. */
export class MarsClient implements AsyncDisposable {
  readonly raw: RawClient;
  /** The transaction that requests say they belong to. */
  transaction = 0n;
  /** Every packet that came, but for their data. */
  readonly seen: Omit<SmpPacket, 'data'>[] = [];
  readonly #parser = new SmpParser();
  readonly #sessions = new Map<number, MarsSession>();
  isClosed = false;

  private constructor(raw: RawClient) {
    this.raw = raw;
    raw.socket.removeAllListeners('data');
    raw.socket.on('data', (chunk: Buffer) => {
      this.#parser.push(chunk);
      for (let packet = this.#parser.next(); packet; packet = this.#parser.next()) this.#take(packet);
    });
    raw.socket.on('close', () => {
      this.isClosed = true;
      for (const session of this.#sessions.values()) session.wake();
    });
  }

  /** Logs in with MARS; SMP begins behind the answer to the login. */
  static async login(port: number, changes: Partial<LoginRequest> = {}): Promise<MarsClient> {
    const raw = await RawClient.connect(port);
    return MarsClient.on(raw, changes);
  }

  /** The same over a connection that is there. */
  static async on(raw: RawClient, changes: Partial<LoginRequest> = {}): Promise<MarsClient> {
    assert.equal((await raw.prelogin({ mars: true })).mars, true);
    const tokens = await raw.logIn(changes);
    assert.ok(tokens.some(({ token }) => token === 'loginAck'));
    return new MarsClient(raw);
  }

  /** Opens a session. */
  open(sid: number, window = 4): MarsSession {
    this.control(smpFlags.syn, sid, 0, window);
    return this.session(sid, window);
  }

  /** A session that is not opened. */
  session(sid: number, window = 4): MarsSession {
    const session = new MarsSession(this, sid, window);
    this.#sessions.set(sid, session);
    return session;
  }

  control(flag: SmpFlag, sid: number, sequence: number, window: number): void {
    this.raw.write(encodeSmp({ flag, sid, sequence, window }));
  }

  #take({ data, ...header }: SmpPacket): void {
    this.seen.push(header);
    this.#sessions.get(header.sid)?.take({ ...header, data });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.raw[Symbol.asyncDispose]();
  }
}

/** One session: packets of TDS inside DATA packets. */
export class MarsSession {
  readonly #client: MarsClient;
  readonly sid: number;
  /** False: nothing that comes is acknowledged by itself. */
  acknowledges = true;
  readonly packets: Packet[] = [];
  isFinished = false;
  sent = 0;
  received = 0;
  /** The last packet that the server lets this side send. */
  limit = 4;
  /** The last that this side lets the server send. */
  #granted: number;
  #wake: () => void = () => {};

  constructor(client: MarsClient, sid: number, window: number) {
    this.#granted = window;
    this.#client = client;
    this.sid = sid;
  }

  wake(): void {
    this.#wake();
  }

  take({ flag, sequence, window, data }: SmpPacket): void {
    this.limit = window;
    if (flag === smpFlags.fin) this.isFinished = true;
    if (flag === smpFlags.data) {
      assert.equal(sequence, ++this.received, 'DATA packets are numbered from 1 on');
      assert.ok(sequence <= this.#granted, 'nothing is sent beyond the window');
      const parser = new PacketParser();
      parser.push(data);
      const packet = parser.next();
      assert.ok(packet && !parser.hasPartial, 'a DATA packet holds one packet of TDS');
      this.packets.push(packet);
      if (this.acknowledges && this.received + 4 - this.#granted >= 2) this.acknowledge();
    }
    this.#wake();
  }

  /** Lets the server send so many packets more than have come; what it was once allowed it stays allowed. */
  acknowledge(more = 4): void {
    this.#granted = Math.max(this.#granted, this.received + more);
    this.#client.control(smpFlags.ack, this.sid, this.sent, this.#granted);
  }

  /** Sends bytes as one DATA packet, whatever the window is. */
  data(bytes: Uint8Array, sequence = ++this.sent): void {
    const header = { flag: smpFlags.data, sid: this.sid, sequence, window: this.#granted };
    this.#client.raw.write(encodeSmp(header, bytes));
  }

  finish(): void {
    this.#client.control(smpFlags.fin, this.sid, this.sent, this.#granted);
  }

  /** Sends a message, a packet of TDS at a time as the window allows. */
  async send(type: PacketType, payload: Uint8Array, status = 0): Promise<void> {
    const { packetSize } = this.#client.raw;
    const bytes = packetize(payload, { type, packetSize, status });
    for (let at = 0; at < bytes.length; at += packetSize) {
      while (this.sent >= this.limit) await this.#change();
      this.data(bytes.subarray(at, at + packetSize));
    }
  }

  async batch(text: string): Promise<Token[]> {
    await this.sendBatch(text);
    return this.tokens();
  }

  sendBatch(text: string, transaction = this.#client.transaction): Promise<void> {
    const { dialect } = this.#client.raw;
    const headers = { transaction, outstandingRequests: 1 };
    return this.send(
      packetTypes.sqlBatch,
      written((out) => writeSqlBatch(out, text, dialect, headers)),
    );
  }

  sendRpc(calls: readonly CallRequest[]): Promise<void> {
    const { dialect } = this.#client.raw;
    const headers = { transaction: this.#client.transaction, outstandingRequests: 1 };
    return this.send(
      packetTypes.rpc,
      written((out) => writeRpc(out, calls, dialect, headers)),
    );
  }

  /** A request of the transaction manager; what it says of the transaction counts for all sessions. */
  async manage(action: TransactionAction): Promise<Token[]> {
    const { dialect } = this.#client.raw;
    const headers = { transaction: this.#client.transaction, outstandingRequests: 1 };
    await this.send(
      packetTypes.transaction,
      written((out) => writeTransactionRequest(out, action, dialect, headers)),
    );
    return this.tokens();
  }

  attention(): Promise<void> {
    return this.send(packetTypes.attention, Buffer.alloc(0));
  }

  /** The tokens of the next message, which must come. */
  async tokens(): Promise<Token[]> {
    const tokens = await this.#message();
    assert.ok(tokens, 'the server closed before its answer had ended');
    for (const token of tokens) {
      if (token.token !== 'envChange' || token.change === undefined) continue;
      const { change } = token;
      if (change.kind === 'begin') this.#client.transaction = change.transaction;
      if (change.kind === 'commit' || change.kind === 'rollback') this.#client.transaction = 0n;
    }
    return tokens;
  }

  async #message(): Promise<Token[] | undefined> {
    const parser = new TokenParser(this.#client.raw.dialect);
    const tokens: Token[] = [];
    for (;;) {
      const packet = this.packets.shift();
      if (packet === undefined) {
        if (this.#client.isClosed || this.isFinished) return undefined;
        await this.#change();
        continue;
      }
      parser.push(packet.payload);
      const last = (packet.status & packetStatus.endOfMessage) !== 0;
      if (last) parser.end();
      for (let token = parser.next(); token; token = parser.next()) tokens.push(token);
      if (last) return tokens;
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
