import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Log } from '../base/log/log.ts';
import { sendAfterTurn } from '../base/threads/send-after-turn.ts';
import type { Channel, RequestChannel } from '../session/channel.ts';
import { brokenStream, type Message } from '../tds/packet/index.ts';
import { bindingsOf } from './channel-bindings.ts';
import type { Handshakes } from './handshakes.ts';
import { hangUp } from './hang-up.ts';
import { isLoopback } from './loopback.ts';
import { type IntakeLimits, MessageIntake } from './message-intake.ts';
import type { MessageMemory } from './message-memory.ts';
import { Multiplexer } from './smp/multiplexer.ts';
import { SocketInput } from './socket-input.ts';
import { Stall } from './stall.ts';
import { TlsBridge } from './tls-bridge.ts';
import { TlsFarewell } from './tls-farewell.ts';
import type { TlsSecrets } from './tls-secrets.ts';

/** The limits of one connection. */
interface ConnectionLimits extends IntakeLimits {
  /** Milliseconds that a client may leave a response unread. */
  readonly sendTimeout: number;
}

/** What a connection shares with the others of its server. */
interface ConnectionOptions {
  readonly secrets: TlsSecrets;
  readonly limits: ConnectionLimits;
  readonly memory: MessageMemory;
  readonly handshakes: Handshakes;
  readonly log: Log;
}

const tlsHandshake = 0x16;
/** Milliseconds of silence after which TCP keepalive probes the client. */
const keepAliveDelay = 30_000;

/** One socket as a session sees it: assembles packets into messages, and inserts TLS when the client negotiates it. */
export class Connection implements Channel {
  readonly address: string;
  readonly localAddress: string;
  readonly localPort: number;
  readonly loopback: boolean;
  readonly #socket: Socket;
  readonly #input: SocketInput;
  readonly #secrets: TlsSecrets;
  readonly #handshakes: Handshakes;
  readonly #limits: ConnectionLimits;
  readonly #memory: MessageMemory;
  readonly #log: Log;
  readonly #intake: MessageIntake;
  readonly #stall: Stall;
  readonly #closing = new AbortController();
  /** Present once the client's bytes are SMP packets (MARS). */
  #multiplexer: Multiplexer | undefined;
  #bridge: TlsBridge | undefined;
  #tls: TLSSocket | undefined;
  #forLoginOnly = false;
  /** The channel bindings of a login whose TLS has ended. */
  #loginBindings: readonly Buffer[] = [];
  /** Present once login-only TLS has ended. */
  #farewell: TlsFarewell | undefined;
  #strict = false;
  #first = true;
  /** True when input is dropped because the connection is being closed. */
  #deaf = false;

  constructor(socket: Socket, { secrets, limits, memory, handshakes, log }: ConnectionOptions) {
    this.#handshakes = handshakes;
    this.#socket = socket;
    this.#secrets = secrets;
    this.#log = log;
    this.address = socket.remoteAddress ?? '';
    this.localAddress = socket.localAddress ?? '';
    this.localPort = socket.localPort ?? 0;
    this.loopback = isLoopback(this.address);
    this.#limits = limits;
    this.#memory = memory;
    this.#stall = new Stall(limits.sendTimeout, log, () => this.destroy());
    this.#intake = new MessageIntake(this, limits, memory);
    socket.setKeepAlive(true, keepAliveDelay);
    this.#input = new SocketInput(socket, (chunk) => this.#fromSocket(chunk));
    socket.on('error', (error) => log.debug('connection failed', { error: error.message }));
    socket.on('end', () => this.#gone());
    socket.on('close', () => this.#closed());
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

  get attentionWaits(): boolean {
    return this.#intake.attentionWaits;
  }

  set onAttention(listener: (() => void) | undefined) {
    this.#intake.onAttention = listener;
  }

  receive(): Promise<Message | undefined> {
    return this.#intake.receive();
  }

  get sendsAhead(): boolean {
    return this.#intake.sendsAhead;
  }

  stopReceiving(): void {
    this.#intake.stop();
    this.#multiplexer?.stop();
  }

  multiplex(accept: (session: RequestChannel) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#multiplexer = new Multiplexer(
      this,
      { limits: this.#limits, memory: this.#memory, log: this.#log },
      { accept, stopped: resolve, failed: reject },
    );
    if (this.closed.aborted) this.#multiplexer.end();
    return promise;
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  isPaused(): boolean {
    return this.#source.isPaused();
  }

  write(bytes: Uint8Array, sent?: () => void): boolean {
    const wire = this.#wire;
    if (!wire.writable) return true;
    sendAfterTurn(wire);
    return wire.write(bytes, sent);
  }

  /** False while the client reads more slowly than the server writes. */
  get hasRoom(): boolean {
    return !this.#wire.writableNeedDrain;
  }

  get stalledSince(): number | undefined {
    return this.#stall.since;
  }

  drained(): Promise<void> {
    const wire = this.#wire;
    if (!wire.writableNeedDrain || this.closed.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const ended = this.#stall.begin();
      const done = () => {
        ended();
        wire.off('drain', done);
        this.closed.removeEventListener('abort', done);
        resolve();
      };
      wire.on('drain', done);
      this.closed.addEventListener('abort', done);
    });
  }

  get loginEncrypted(): boolean {
    return this.encrypted || this.#farewell !== undefined;
  }

  get bindings(): readonly Buffer[] {
    return this.#tls === undefined ? this.#loginBindings : bindingsOf(this.#tls, this.#secrets.endPoint);
  }

  startTls(forLoginOnly: boolean): void {
    // Plaintext received before the handshake must never be treated as if it had come through TLS.
    if (!this.#intake.isEmpty) throw brokenStream('Data was sent in the clear before the TLS handshake.');
    this.#forLoginOnly = forLoginOnly;
    this.#secure(true);
  }

  endLoginTls(): void {
    if (!this.#forLoginOnly || this.#bridge === undefined) return;
    // Bytes received through TLS after the login must never be treated as if they had come in the clear.
    if (!this.#intake.isEmpty) throw brokenStream('Data was sent through TLS after the login.');
    this.#loginBindings = this.bindings;
    const [bridge, tls] = [this.#bridge, this.#tls];
    this.#bridge = undefined;
    this.#tls = undefined;
    this.#farewell = new TlsFarewell();
    tls?.removeAllListeners('data').removeAllListeners('end');
    bridge.detach();
    tls?.destroy();
    this.#input.resume();
  }

  admit(login: string): void {
    this.#input.who = login;
    this.#intake.admit();
  }

  async end(): Promise<void> {
    this.#deaf = true;
    this.#intake.ignoreRest();
    this.#input.drop();
    await hangUp(this.#socket, this.#tls);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** The stream that carries messages and responses: the socket, or TLS on top of it. */
  get #wire(): Socket {
    return this.#tls ?? this.#socket;
  }

  /** Where messages come from: the socket, or TLS on top of it. */
  get #source(): Pick<SocketInput, 'pause' | 'resume' | 'isPaused'> {
    return this.#tls ?? this.#input;
  }

  #fromSocket(chunk: Buffer): void {
    if (this.#deaf) return;
    if (this.#first) {
      this.#first = false;
      // TDS 8 starts with TLS; every older version starts with a packet whose type is below 0x16.
      if (chunk[0] === tlsHandshake) {
        this.#strict = true;
        this.#secure(false);
      }
    }
    if (this.#bridge) this.#bridge.feed(chunk);
    else if (this.#farewell) this.#fromClient(this.#farewell.behind(chunk));
    else this.#fromClient(chunk);
  }

  #fromClient(chunk: Buffer): void {
    if (this.#deaf) return;
    if (this.#multiplexer) this.#multiplexer.push(chunk);
    else this.#intake.push(chunk);
  }

  #secure(wrapped: boolean): void {
    const bridge = new TlsBridge(this.#socket, this.#input, wrapped, (step) =>
      this.#handshakes.step(this.address, step),
    );
    this.#bridge = bridge;
    this.#tls = new TLSSocket(bridge, {
      isServer: true,
      secureContext: wrapped ? this.#secrets.wrapped : this.#secrets.strict,
      ...(wrapped ? {} : { ALPNProtocols: ['tds/8.0'] }),
    });
    this.#tls.on('secure', () => bridge.secured());
    this.#tls.on('data', (chunk: Buffer) => this.#fromClient(chunk));
    this.#tls.on('error', (error) => {
      this.#log.debug('TLS failed', { error: error.message });
      this.destroy();
    });
    this.#tls.on('end', () => this.#gone());
    bridge.on('error', () => this.destroy());
  }

  /** The client has closed its side: nobody waits for a response, because drivers never half-close a connection. */
  #gone(): void {
    this.#intake.stop();
    this.#closing.abort();
    this.#multiplexer?.end();
  }

  #closed(): void {
    this.#gone();
    this.#deaf = true;
    this.#intake.end();
    this.#tls?.destroy();
    this.#bridge?.destroy();
  }
}
