import type { RequestHeaders } from '../tds/message/all-headers.ts';
import { type CallRequest, writeRpc } from '../tds/message/rpc.ts';
import { writeSqlBatch } from '../tds/message/sql-batch.ts';
import { type TransactionAction, writeTransactionRequest } from '../tds/message/transaction-request.ts';
import { clampPacketSize, type PacketType, packetize, packetStatus, packetTypes } from '../tds/packet/index.ts';
import { malformed } from '../tds/stream-error.ts';
import {
  type ColumnInfo,
  type EnvChange,
  ResultWriter,
  type Token,
  writeColMetadata,
  writeDone,
} from '../tds/token/index.ts';
import { modern } from '../tds/version.ts';
import { ClientError, lost } from './client-error.ts';
import { Exchange, type Limits } from './exchange.ts';
import { greet } from './handshake.ts';
import { InterruptibleRows } from './interruptible-rows.ts';
import { type ConnectOptions, defaultCancelTimeout, defaultConnectTimeout, timerTime } from './options.ts';
import type { Wire } from './wire.ts';

/** Rows in column order. */
type Rows = Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>;

const nobody = (): void => {};
const attention = packetize(Buffer.alloc(0), { type: packetTypes.attention, packetSize: 512 });

/** A TDS connection that handles one request at a time: the base of the typed client and of load generators. */
export class ClientConnection implements AsyncDisposable {
  /** Makes the server reset the session with the next request. */
  resetNext = false;
  /** Called when the connection breaks. */
  onLost: () => void = nobody;
  readonly #wire: Wire;
  readonly #cancelTimeout: number;
  #transaction = 0n;
  #busy = false;

  private constructor(wire: Wire, cancelTimeout: number) {
    this.#wire = wire;
    this.#cancelTimeout = cancelTimeout;
    this.#rest();
  }

  /** Connects and logs in; rejects with the server's error, or with a ClientError. */
  static async open(options: ConnectOptions, signal?: AbortSignal): Promise<ClientConnection> {
    const { connectTimeout = defaultConnectTimeout, cancelTimeout = defaultCancelTimeout } = options;
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(timerTime(connectTimeout));
    const ending = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    const { wire, send, proof } = await greet(options, ending).catch((error: unknown) => {
      throw refused(options, error, signal, limit);
    });
    const connection = new ClientConnection(wire, cancelTimeout);
    const cut = () => wire.destroy(new Error('it took too long'));
    ending.addEventListener('abort', cut, { once: true });
    try {
      let reply: Uint8Array = new Uint8Array(0);
      let isLoggedIn = false;
      await connection.#exchange(
        send,
        (token) => {
          if (token.token === 'sspi') reply = token.data;
          else if (token.token === 'loginAck') isLoggedIn = true;
        },
        {},
      );
      if (!isLoggedIn) throw new ClientError('protocol', 'the server did not say whether the login succeeded');
      await proof?.finish(reply);
    } catch (error) {
      wire.destroy();
      if (error instanceof ClientError) throw refused(options, error, signal, limit);
      throw error;
    } finally {
      ending.removeEventListener('abort', cut);
      proof?.close();
    }
    return connection;
  }

  get isOpen(): boolean {
    return this.#wire.isOpen;
  }

  /** True while a transaction of this connection is open, as far as the server has reported. */
  get inTransaction(): boolean {
    return this.#transaction !== 0n;
  }

  /** Sends calls and passes every token of the response to `take`; rejects with its first error. */
  rpc(calls: readonly CallRequest[], take: (token: Token) => void, limits: Limits = {}): Promise<void> {
    return this.#request(packetTypes.rpc, (headers) => writeRpc(this.#out, calls, modern, headers), take, limits);
  }

  /** Sends calls and only waits for the end of the response: for load generators. Resolves to its last packet. */
  rpcUnread(calls: readonly CallRequest[]): Promise<Buffer> {
    writeRpc(this.#out, calls, modern);
    const wire = this.#wire;
    return new Promise((resolve, reject) => {
      if (!wire.isOpen) reject(lost(false, wire.error));
      wire.listener = {
        packet: ({ payload, status }) => {
          if ((status & packetStatus.endOfMessage) !== 0) resolve(payload);
        },
        lost: (error) => reject(lost(true, error)),
      };
      wire.send(packetTypes.rpc);
    });
  }

  /** Runs a T-SQL batch; rejects with its first error. */
  batch(text: string, take: (token: Token) => void = nobody, limits: Limits = {}): Promise<void> {
    return this.#request(
      packetTypes.sqlBatch,
      (headers) => writeSqlBatch(this.#out, text, modern, headers),
      take,
      limits,
    );
  }

  /** Begins, saves or ends a transaction. */
  transaction(action: TransactionAction, limits: Limits = {}): Promise<void> {
    return this.#request(
      packetTypes.transaction,
      (headers) => writeTransactionRequest(this.#out, action, modern, headers),
      nobody,
      limits,
    );
  }

  /**
   * Sends rows as the bulk load announced by a preceding INSERT BULK, no faster than the server reads them; resolves to
   * the number of rows loaded. An error thrown by the rows rolls the load back; a cancel, a timeout or the loss of the
   * connection also ends the wait for a row.
   */
  async bulkLoad(columns: readonly ColumnInfo[], rows: Rows, limits: Limits = {}): Promise<number> {
    let count = 0;
    let isSent = false;
    const taken = (token: Token) => {
      if (token.token === 'done') count = token.count;
    };
    const source = Symbol.iterator in rows ? rows : new InterruptibleRows(rows);
    const interrupt = () => {
      if (source instanceof InterruptibleRows) source.interrupt();
    };
    const load = this.#begin(taken, limits, () => (isSent ? this.#attend() : interrupt()));
    // It may fail while rows are awaited; `#finish` reports why.
    load.done.catch(() => {
      if (!this.isOpen) interrupt();
    });
    try {
      const isWhole = await this.#sendRows(columns, source, load);
      isSent = true;
      this.#wire.send(packetTypes.bulkLoad, isWhole ? 0 : packetStatus.ignore);
      if (!isWhole) this.#attend();
    } catch (error) {
      isSent = true;
      this.#wire.send(packetTypes.bulkLoad, packetStatus.ignore);
      load.cancel(error);
    }
    await this.#finish(load);
    return count;
  }

  /** False when the load was cancelled before its end. */
  async #sendRows(columns: readonly ColumnInfo[], rows: Rows, load: Exchange): Promise<boolean> {
    const { writer } = this.#wire;
    writer.type = packetTypes.bulkLoad;
    load.sent = true;
    // NBCROW has no place in a bulk load (MS-TDS 2.2.7.15).
    const row = new ResultWriter(columns, modern, false);
    writeColMetadata(writer.out, columns, modern, 'bulk load');
    const flushed = async (): Promise<boolean> => {
      if (load.cancelled !== undefined || !this.isOpen) return false;
      const packets = writer.flush();
      if (packets !== undefined && !this.#wire.write(packets)) await this.#wire.drained();
      return true;
    };
    if (Symbol.iterator in rows) {
      for (const values of rows) {
        row.writeRow(writer.out, values);
        if (writer.isFull && !(await flushed())) return false;
      }
    } else {
      for await (const values of rows) {
        row.writeRow(writer.out, values);
        if ((writer.isFull || load.cancelled !== undefined) && !(await flushed())) return false;
      }
    }
    writeDone(writer.out, 'done', {}, modern);
    return load.cancelled === undefined;
  }

  /** The server is not read until `resume`. */
  pause(): void {
    this.#wire.pause();
  }

  resume(): void {
    this.#wire.resume();
  }

  /** Closes it at once; a running request fails with the error. */
  destroy(error?: Error): void {
    this.#wire.destroy(error);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.onLost = nobody;
    this.#wire.destroy();
  }

  get #out() {
    return this.#wire.writer.out;
  }

  #attend(): void {
    this.#wire.write(attention);
  }

  /** While idle, the server has nothing to send but its goodbye. */
  #rest(): void {
    this.#wire.listener = {
      packet: () => this.#wire.destroy(new Error('the server sent an unsolicited message')),
      lost: () => this.onLost(),
    };
    // A stream whose last rows arrived together has paused it, and nobody else would resume it.
    this.#wire.resume();
  }

  #request(
    type: PacketType,
    write: (headers: RequestHeaders) => void,
    take: (token: Token) => void,
    limits: Limits,
  ): Promise<void> {
    const send = () => {
      write({ transaction: this.#transaction, outstandingRequests: 1 });
      this.#wire.send(type);
    };
    return this.#exchange(send, take, limits);
  }

  async #exchange(send: () => void, take: (token: Token) => void, limits: Limits): Promise<void> {
    const exchange = this.#begin(take, limits, () => this.#attend());
    try {
      send();
      exchange.sent = true;
    } catch (error) {
      // A value that cannot be encoded: the writer holds an incomplete message, of which nothing was sent.
      this.#wire.destroy();
      exchange.done.catch(nobody);
      this.#busy = false;
      throw error;
    }
    await this.#finish(exchange);
  }

  #begin(take: (token: Token) => void, limits: Limits, attend: () => void): Exchange {
    if (this.#busy) throw new Error('the connection is busy with another request');
    limits.signal?.throwIfAborted();
    if (!this.#wire.isOpen) throw lost(false, this.#wire.error);
    this.#busy = true;
    if (this.resetNext) this.#wire.writer.firstStatus = packetStatus.resetConnection;
    this.resetNext = false;
    return new Exchange(this.#wire, { take, attend, change: this.#change }, limits, this.#cancelTimeout);
  }

  async #finish(exchange: Exchange): Promise<void> {
    try {
      await exchange.done;
    } finally {
      this.#busy = false;
      if (this.#wire.isOpen) this.#rest();
      else this.onLost();
    }
  }

  readonly #change = (change: EnvChange): void => {
    if (change.kind === 'begin') this.#transaction = change.transaction;
    else if (change.kind === 'commit' || change.kind === 'rollback') this.#transaction = 0n;
    else if (change.kind === 'packetSize') this.#wire.writer.packetSize = checkedPacketSize(change.now);
  };
}

/** The packet size that a server chose: a client that believed 8 would send packets without content for ever. */
function checkedPacketSize(text: string): number {
  const size = Number(text);
  if (Number.isInteger(size) && clampPacketSize(size) === size) return size;
  throw malformed(`Packets cannot have ${JSON.stringify(text)} bytes.`);
}

/** Why no connection was made, as one error. */
function refused(
  options: ConnectOptions,
  error: unknown,
  signal: AbortSignal | undefined,
  limit: AbortSignal,
): unknown {
  if (signal?.aborted) return signal.reason;
  const where = 'server' in options ? 'the server of this process' : `${options.host}:${options.port}`;
  if (limit.aborted) {
    const { connectTimeout = defaultConnectTimeout } = options;
    return new ClientError('timeout', `no connection to ${where} could be made within ${connectTimeout} milliseconds`);
  }
  const why = error instanceof Error ? error.message : String(error);
  return new ClientError('connect', `there is no connection to ${where}: ${why}`, { cause: error });
}
