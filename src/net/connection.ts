import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Log } from '../base/log.ts';
import type { Channel } from '../session/channel.ts';
import { type Message, MessageAssembler, PacketParser, packetTypes } from '../tds/packet/index.ts';
import { MessageQueue } from './message-queue.ts';
import { TlsBridge } from './tls-bridge.ts';
import type { TlsSecrets } from './tls-secrets.ts';

/** What bounds one connection. */
export interface ConnectionLimits {
  /** The greatest message, in bytes. */
  readonly maxMessage: number;
}

const tlsHandshake = 0x16;
/** The greatest message before a login: LOGIN7 with all of its fields at their limits fits. */
const loginMessageLimit = 128 * 1024;
/** Messages that may wait before the socket is no longer read: the next request and an attention. */
const waitingLimit = 2;

/** One socket as a session sees it: packets become messages, TLS is put in between when it is asked for. */
export class Connection implements Channel {
  readonly address: string;
  readonly localAddress: string;
  readonly localPort: number;
  readonly loopback: boolean;
  onAttention: (() => void) | undefined;
  readonly #socket: Socket;
  readonly #secrets: TlsSecrets;
  readonly #limits: ConnectionLimits;
  readonly #log: Log;
  readonly #queue = new MessageQueue();
  readonly #assembler: MessageAssembler;
  readonly #closing = new AbortController();
  #parser = new PacketParser();
  #bridge: TlsBridge | undefined;
  #tls: TLSSocket | undefined;
  #strict = false;
  #first = true;

  constructor(socket: Socket, secrets: TlsSecrets, limits: ConnectionLimits, log: Log) {
    this.#socket = socket;
    this.#secrets = secrets;
    this.#log = log;
    this.address = socket.remoteAddress ?? '';
    this.localAddress = socket.localAddress ?? '';
    this.localPort = socket.localPort ?? 0;
    this.loopback = /^(127\.|::1$|::ffff:127\.)/.test(this.address);
    this.#limits = limits;
    this.#assembler = new MessageAssembler(Math.min(loginMessageLimit, limits.maxMessage));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    socket.on('data', (chunk: Buffer) => this.#fromSocket(chunk));
    socket.on('error', (error) => log.debug('connection failed', { error: error.message }));
    socket.on('close', () => this.#closed());
    socket.on('end', () => this.#queue.end());
  }

  get encrypted(): boolean {
    return this.#tls !== undefined;
  }

  get strict(): boolean {
    return this.#strict;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  async receive(): Promise<Message | undefined> {
    const message = await this.#queue.take();
    if (this.#queue.length < waitingLimit) this.#source.resume();
    return message;
  }

  write(bytes: Uint8Array): boolean {
    const out = this.#tls ?? this.#socket;
    return out.destroyed ? true : out.write(bytes);
  }

  drained(): Promise<void> {
    const out = this.#tls ?? this.#socket;
    if (!out.writableNeedDrain || out.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        out.off('drain', done);
        this.closed.removeEventListener('abort', done);
        resolve();
      };
      out.on('drain', done);
      this.closed.addEventListener('abort', done);
    });
  }

  startTls(): void {
    this.#secure(true);
  }

  allowLongMessages(): void {
    this.#assembler.sizeLimit = this.#limits.maxMessage;
  }

  async end(): Promise<void> {
    if (this.#socket.destroyed) return;
    const out = this.#tls ?? this.#socket;
    await new Promise<void>((resolve) => out.end(resolve));
    this.#socket.destroySoon();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  get #source(): Socket {
    return this.#tls ?? this.#socket;
  }

  #fromSocket(chunk: Buffer): void {
    if (this.#first) {
      this.#first = false;
      // TDS 8 opens with TLS; every older form opens with a packet whose type is below 0x16.
      if (chunk[0] === tlsHandshake) {
        this.#strict = true;
        this.#secure(false);
      }
    }
    if (this.#bridge) this.#bridge.feed(chunk);
    else this.#fromClient(chunk);
  }

  #fromClient(chunk: Buffer): void {
    try {
      this.#parser.push(chunk);
      for (let packet = this.#parser.next(); packet; packet = this.#parser.next()) {
        const message = this.#assembler.add(packet);
        if (!message) continue;
        this.#queue.put(message);
        if (message.type === packetTypes.attention) this.onAttention?.();
        if (this.#queue.length >= waitingLimit) this.#source.pause();
      }
    } catch (error) {
      // The session answers it with its error and ends; nothing that follows can be understood.
      this.#source.pause();
      this.#queue.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #secure(wrapped: boolean): void {
    const send = (bytes: Buffer) => {
      if (this.#socket.destroyed || this.#socket.write(bytes)) return undefined;
      return new Promise<void>((resolve) => {
        this.#socket.once('drain', resolve);
        this.#socket.once('close', resolve);
      });
    };
    const bridge = new TlsBridge(send, wrapped);
    this.#bridge = bridge;
    this.#parser = new PacketParser();
    this.#tls = new TLSSocket(bridge, {
      isServer: true,
      secureContext: wrapped ? this.#secrets.wrapped : this.#secrets.strict,
      ...(wrapped ? {} : { ALPNProtocols: ['tds/8.0'] }),
    });
    this.#tls.on('data', (chunk: Buffer) => this.#fromClient(chunk));
    this.#tls.on('error', (error) => {
      this.#log.debug('TLS failed', { error: error.message });
      this.destroy();
    });
    this.#tls.on('end', () => this.#queue.end());
    bridge.on('error', () => this.destroy());
  }

  #closed(): void {
    this.#queue.end();
    this.#closing.abort();
    this.#tls?.destroy();
    this.#bridge?.destroy();
  }
}
