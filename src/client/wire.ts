import type { Duplex } from 'node:stream';
import { defaultPacketSize, MessageWriter, type Packet, PacketParser, type PacketType } from '../tds/packet/index.ts';
import { LastColumns } from '../tds/token/index.ts';
import { modern } from '../tds/version.ts';
import { ClientError } from './client-error.ts';

/** The receiver of what arrives over a wire. */
export interface Listener {
  packet(packet: Packet): void;
  lost(error: Error | undefined): void;
}

/** A stream as packets: the underlying stream may change while TLS begins and ends. */
export class Wire {
  readonly writer = new MessageWriter(defaultPacketSize);
  listener: Listener | undefined;
  /** The columns that the server sent last. */
  readonly columns = new LastColumns(modern);
  readonly #parser = new PacketParser();
  #stream: Duplex;
  #error: Error | undefined;
  #closed = false;
  readonly #data = (chunk: Buffer) => this.#take(chunk);
  readonly #failed = (error: Error) => {
    this.#error ??= error;
  };
  readonly #gone = () => {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream.destroy();
    this.listener?.lost(this.#error);
  };

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.use(stream);
  }

  get isOpen(): boolean {
    return !this.#closed && this.#stream.writable;
  }

  /** Why it was closed, if known. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Stops listening to its stream, which another reader takes over. */
  leave(): Duplex {
    const stream = this.#stream;
    stream.off('data', this.#data).off('end', this.#gone).off('close', this.#gone);
    return stream;
  }

  /** From now on packets travel over another stream. */
  use(stream: Duplex): void {
    this.#stream = stream;
    stream.on('data', this.#data).on('error', this.#failed).on('end', this.#gone).on('close', this.#gone);
  }

  /** Sends bytes; false if the server reads slowly and the sender should wait for `drained`. */
  write(bytes: Buffer): boolean {
    return this.#stream.write(bytes);
  }

  /** Sends what was written as one message, whose last packet has these status bits besides. */
  send(type: PacketType, lastStatus = 0): void {
    this.writer.type = type;
    this.write(this.writer.end(lastStatus));
  }

  /** Resolves when the server has read what was sent, or is gone. */
  drained(): Promise<void> {
    const stream = this.#stream;
    if (!stream.writableNeedDrain || stream.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        stream.off('drain', done).off('close', done);
        resolve();
      };
      stream.on('drain', done).on('close', done);
    });
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Ends it at once. */
  destroy(error?: Error): void {
    if (error !== undefined) this.#error ??= error;
    this.#stream.destroy();
    this.#gone();
  }

  #take(chunk: Buffer): void {
    try {
      this.#parser.push(chunk);
      for (let packet = this.#parser.next(); packet; packet = this.#parser.next()) this.listener?.packet(packet);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.destroy(
        new ClientError('protocol', `the server's answer cannot be read: ${why}`, { sent: true, cause: error }),
      );
    }
  }
}
