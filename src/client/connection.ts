import { once } from 'node:events';
import { connect as dial, type Socket } from 'node:net';
import { SqlError } from '../base/sql-error.ts';
import { writtenBulkLoad } from '../tds/message/bulk-load.ts';
import { writeLogin7 } from '../tds/message/login7-writer.ts';
import { encryption, writePrelogin } from '../tds/message/prelogin.ts';
import { type CallRequest, writeRpc } from '../tds/message/rpc.ts';
import { writeSqlBatch } from '../tds/message/sql-batch.ts';
import {
  defaultPacketSize,
  MessageWriter,
  PacketParser,
  type PacketType,
  packetStatus,
  packetTypes,
} from '../tds/packet/index.ts';
import { type ColumnInfo, type Token, TokenParser } from '../tds/token/index.ts';
import { modern } from '../tds/version.ts';

/** Where to connect and as whom. */
export interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** A plain TDS 7.4 connection that answers one request at a time: the base of the typed client and of load generators. */
export class ClientConnection implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #writer = new MessageWriter(defaultPacketSize);
  #parser = new PacketParser();
  #onPacket: ((payload: Buffer, last: boolean) => void) | undefined;
  #onLost: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    const lost = (error?: Error) => this.#onLost?.(error ?? new Error('the server closed the connection'));
    socket.on('error', lost);
    socket.on('close', () => lost());
  }

  /** Connects and logs in; rejects with the server's error. */
  static async open(options: ConnectOptions): Promise<ClientConnection> {
    const socket = dial(options.port, options.host);
    const connection = new ClientConnection(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    await connection.#login(options);
    return connection;
  }

  async #login({ user, password, database }: ConnectOptions): Promise<void> {
    writePrelogin(this.#writer.out, {
      version: { major: 1, minor: 0, build: 0, subBuild: 0 },
      encryption: encryption.notSupported,
      instance: '',
      threadId: 0,
      mars: false,
    });
    await this.#exchange(packetTypes.prelogin, () => {});
    writeLogin7(this.#writer.out, { userName: user, password, database, appName: 'granary client' });
    await this.#tokens(packetTypes.login7, () => {});
  }

  /** Sends calls and hands every token of the answer to `take`; rejects with the first error of the answer. */
  async rpc(calls: readonly CallRequest[], take: (token: Token) => void): Promise<void> {
    writeRpc(this.#writer.out, calls, modern);
    await this.#tokens(packetTypes.rpc, take);
  }

  /** Sends calls and only waits for the end of the answer: for load generators. Resolves to the answer's last packet. */
  rpcUnread(calls: readonly CallRequest[]): Promise<Buffer> {
    writeRpc(this.#writer.out, calls, modern);
    let tail: Buffer = Buffer.alloc(0);
    return this.#exchange(packetTypes.rpc, (payload) => {
      tail = payload;
    }).then(() => tail);
  }

  /** Runs a T-SQL batch; rejects with its first error. */
  async batch(text: string): Promise<void> {
    writeSqlBatch(this.#writer.out, text, modern);
    await this.#tokens(packetTypes.sqlBatch, () => {});
  }

  /** Sends rows as the bulk load that an INSERT BULK before it announced, no faster than the server takes them. */
  async bulkLoad(columns: readonly ColumnInfo[], rows: Iterable<readonly unknown[]>): Promise<void> {
    const writer = this.#writer;
    writer.type = packetTypes.bulkLoad;
    for (const _ of writtenBulkLoad(writer.out, columns, rows, modern)) {
      if (!writer.isFull) continue;
      const packets = writer.flush();
      if (packets !== undefined && !this.#socket.write(packets)) await once(this.#socket, 'drain');
    }
    await this.#tokens(packetTypes.bulkLoad, () => {});
  }

  async #tokens(type: PacketType, take: (token: Token) => void): Promise<void> {
    const parser = new TokenParser(modern);
    let failure: SqlError | undefined;
    const drain = () => {
      for (let token = parser.next(); token; token = parser.next()) {
        if (token.token === 'error') failure ??= errorOf(token);
        else take(token);
      }
    };
    await this.#exchange(type, (payload) => {
      parser.push(payload);
      drain();
    });
    parser.end();
    drain();
    if (failure) throw failure;
  }

  /** Sends what was written as one message; resolves when the answer has ended. */
  #exchange(type: PacketType, take: (payload: Buffer) => void): Promise<void> {
    this.#writer.type = type;
    return new Promise((resolve, reject) => {
      if (!this.#socket.writable) reject(new Error('the server closed the connection'));
      this.#onLost = reject;
      this.#onPacket = (payload, last) => {
        take(payload);
        if (last) resolve();
      };
      this.#socket.write(this.#writer.end());
    });
  }

  #take(chunk: Buffer): void {
    try {
      this.#parser.push(chunk);
      for (let packet = this.#parser.next(); packet; packet = this.#parser.next()) {
        this.#onPacket?.(packet.payload, (packet.status & packetStatus.endOfMessage) !== 0);
      }
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#onLost = undefined;
    if (this.#socket.closed) return;
    await new Promise<void>((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.destroy();
    });
  }
}

const errorOf = (token: Extract<Token, { token: 'error' | 'info' }>): SqlError =>
  new SqlError(token.number, token.text, {
    severity: token.severity,
    state: token.state,
    procedure: token.procedure,
    line: token.line,
  });
