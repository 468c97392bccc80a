import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Log } from '../base/log.ts';
import type { Channel } from '../session/channel.ts';
import {
  brokenStream,
  type Message,
  MessageAssembler,
  PacketParser,
  type PayloadStream,
  packetTypes,
} from '../tds/packet/index.ts';
import { sendAfterTurn } from './answers-of-turn.ts';
import type { Handshakes } from './handshakes.ts';
import { hangUp } from './hang-up.ts';
import { isLoopback } from './loopback.ts';
import type { MessageAccount, MessageMemory } from './message-memory.ts';
import { MessageQueue } from './message-queue.ts';
import { SpentChunks } from './spent-chunks.ts';
import { TlsBridge } from './tls-bridge.ts';
import { TlsFarewell } from './tls-farewell.ts';
import type { TlsSecrets } from './tls-secrets.ts';

/** What bounds one connection. */
interface ConnectionLimits {
  /** The greatest message, in bytes. */
  readonly maxMessage: number;
  /** Milliseconds that a message may take to come whole. */
  readonly messageTimeout: number;
  /** Milliseconds that a client may leave what was sent unread. */
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

const noBytes = Buffer.alloc(0);
const tlsHandshake = 0x16;
/** The greatest message before a login: LOGIN7 with all of its fields at their limits fits. */
const loginMessageLimit = 128 * 1024;
/** Messages that may wait before the socket is no longer read: the next request and an attention. */
const waitingLimit = 2;
/** Whole messages up to this size are not counted: their number is bounded by that of the connections. */
const smallMessage = 64 * 1024;
/** Milliseconds of silence after which the system asks whether the client is still there. */
const keepAliveDelay = 30_000;

/** One socket as a session sees it: packets become messages, TLS is put in between when it is asked for. */
export class Connection implements Channel {
  readonly address: string;
  readonly localAddress: string;
  readonly localPort: number;
  readonly loopback: boolean;
  onAttention: (() => void) | undefined;
  readonly #socket: Socket;
  readonly #secrets: TlsSecrets;
  readonly #handshakes: Handshakes;
  readonly #limits: ConnectionLimits;
  readonly #log: Log;
  readonly #queue = new MessageQueue();
  readonly #assembler: MessageAssembler;
  readonly #parser = new PacketParser();
  readonly #spent = new SpentChunks();
  readonly #memory: MessageAccount;
  readonly #closing = new AbortController();
  /** When the message that has begun to come began to, if one has. */
  #begun: number | undefined;
  #overdue: NodeJS.Timeout | undefined;
  /** The size of the message that is being answered, if it is large. */
  #answering = 0;
  #stalledSince: number | undefined;
  #bridge: TlsBridge | undefined;
  #tls: TLSSocket | undefined;
  #forLoginOnly = false;
  /** Present once TLS has ended with the login. */
  #farewell: TlsFarewell | undefined;
  #strict = false;
  #first = true;
  /** True when what comes is dropped: it cannot be understood any more, or the connection is being ended. */
  #deaf = false;
  readonly #onRoom = () => {
    if (this.#queue.length < waitingLimit) this.#wire.resume();
  };

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
    this.#memory = memory.account(this.address, (error) => this.#refuse(error));
    this.#assembler = new MessageAssembler(Math.min(loginMessageLimit, limits.maxMessage));
    socket.setKeepAlive(true, keepAliveDelay);
    socket.on('data', (chunk: Buffer) => this.#fromSocket(chunk));
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
    return this.#queue.holds(packetTypes.attention);
  }

  receive(): Promise<Message | undefined> {
    if (this.#answering > 0) {
      this.#answering = 0;
      this.#count();
    }
    const next = this.#queue.take(this.#answered);
    if (this.#parser.hasPartial) this.#parse();
    if (this.#queue.length < waitingLimit && this.#wire.isPaused()) {
      this.#wire.resume();
      // While nothing was read the client could not go on.
      if (this.#begun !== undefined) this.#begun = performance.now();
    }
    return next;
  }

  get sendsAhead(): boolean {
    return this.#queue.length > 0;
  }

  /** A large message is counted until the next one is asked for. */
  readonly #answered = ({ payload }: Message): void => {
    if (payload.length < smallMessage) return;
    this.#answering = payload.length;
    this.#count();
  };

  stopReceiving(): void {
    this.#queue.end();
    this.#assembler.stream?.end('cut');
  }

  write(bytes: Uint8Array, sent?: () => void): boolean {
    const wire = this.#wire;
    if (!wire.writable) return true;
    sendAfterTurn(wire);
    return wire.write(bytes, sent);
  }

  get stalledSince(): number | undefined {
    return this.#stalledSince;
  }

  drained(): Promise<void> {
    const wire = this.#wire;
    if (!wire.writableNeedDrain || this.closed.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stalledSince = performance.now();
      const { sendTimeout } = this.#limits;
      const timer = setTimeout(() => this.#cutStalled(), sendTimeout);
      const done = () => {
        this.#stalledSince = undefined;
        clearTimeout(timer);
        wire.off('drain', done);
        this.closed.removeEventListener('abort', done);
        resolve();
      };
      wire.on('drain', done);
      this.closed.addEventListener('abort', done);
    });
  }

  #cutStalled(): void {
    this.#log.warn('a client that does not read was cut off', { milliseconds: this.#limits.sendTimeout });
    this.destroy();
  }

  get loginEncrypted(): boolean {
    return this.encrypted || this.#farewell !== undefined;
  }

  startTls(forLoginOnly: boolean): void {
    // What was sent in the clear must never be taken for something that came through TLS.
    if (this.#queue.length > 0 || this.#parser.hasPartial) throw brokenStream('Bytes stand where TLS was to begin.');
    this.#forLoginOnly = forLoginOnly;
    this.#secure(true);
  }

  endLoginTls(): void {
    if (!this.#forLoginOnly || this.#bridge === undefined) return;
    // Whatever came through TLS behind the login must never be taken for something that came in the clear.
    if (this.#queue.length > 0 || this.#parser.hasPartial) throw brokenStream('Bytes stand where TLS was to end.');
    const [bridge, tls] = [this.#bridge, this.#tls];
    this.#bridge = undefined;
    this.#tls = undefined;
    this.#farewell = new TlsFarewell();
    tls?.removeAllListeners('data').removeAllListeners('end');
    bridge.detach();
    tls?.destroy();
    this.#socket.resume();
  }

  allowLongMessages(): void {
    this.#memory.admit();
    this.#assembler.sizeLimit = this.#limits.maxMessage;
  }

  async end(): Promise<void> {
    this.#deaf = true;
    await hangUp(this.#socket, this.#tls);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Where messages come from and answers go: the socket, or TLS on it. */
  get #wire(): Socket {
    return this.#tls ?? this.#socket;
  }

  #fromSocket(chunk: Buffer): void {
    if (this.#deaf) return;
    if (this.#first) {
      this.#first = false;
      // TDS 8 opens with TLS; every older form opens with a packet whose type is below 0x16.
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
    this.#parser.push(chunk);
    this.#spent.add(chunk);
    this.#parse();
  }

  /** Takes messages out of what has come, until enough of them wait. */
  #parse(): void {
    if (this.#deaf) return;
    try {
      while (this.#queue.length < waitingLimit) {
        const packet = this.#parser.next();
        if (packet === undefined) break;
        const message = this.#assembler.add(packet);
        const { stream } = this.#assembler;
        if (stream !== undefined) this.#follow(stream);
        if (!message) continue;
        this.#spent.settle(message.payload);
        this.#queue.put(message);
        if (message.type === packetTypes.attention) this.onAttention?.();
      }
      if (this.#queue.length >= waitingLimit) this.#wire.pause();
      this.#watch();
    } catch (error) {
      this.#refuse(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** The session answers it with the error and ends; nothing that follows can be understood. */
  #refuse(error: Error): void {
    this.#deaf = true;
    this.#forget();
    this.#queue.fail(error);
  }

  /** Gives back what a message that is not whole has taken. */
  #forget(): void {
    this.#parser.drop();
    this.#assembler.drop();
    this.#spent.drop();
    this.#watch();
  }

  /** Minds the memory and the time of a message that has begun to come. */
  #watch(): void {
    if (!this.#assembler.isOpen && !this.#parser.hasPartial) this.#begun = undefined;
    else this.#begun ??= performance.now();
    this.#count();
    if (this.#begun !== undefined) this.#overdue ??= this.#timer(this.#limits.messageTimeout);
  }

  #count(): void {
    const unfinished = this.#begun === undefined ? 0 : this.#spent.cost + (this.#assembler.stream?.cost ?? 0);
    const whole = this.#socket.closed ? 0 : this.#queue.bytes(smallMessage) + this.#answering;
    this.#memory.set(unfinished + whole);
  }

  #timer(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#overdue = undefined;
      if (this.#begun === undefined || this.#deaf) return;
      const { messageTimeout } = this.#limits;
      if (this.#wire.isPaused()) this.#begun = performance.now();
      const left = this.#begun + messageTimeout - performance.now();
      if (left > 0) this.#overdue = this.#timer(left);
      else this.#refuse(brokenStream(`A message did not come whole within ${messageTimeout} milliseconds.`));
    }, milliseconds).unref();
  }

  /** A bulk load is read no faster than it is taken, and may take as long as the client goes on sending it. */
  #follow(stream: PayloadStream): void {
    this.#spent.settle(noBytes);
    this.#begun = undefined;
    stream.onRoom = this.#onRoom;
    if (stream.isFull) this.#wire.pause();
  }

  #secure(wrapped: boolean): void {
    const bridge = new TlsBridge(this.#socket, wrapped, (step) => this.#handshakes.step(this.address, step));
    this.#bridge = bridge;
    this.#tls = new TLSSocket(bridge, {
      isServer: true,
      secureContext: wrapped ? this.#secrets.wrapped : this.#secrets.strict,
      ...(wrapped ? {} : { ALPNProtocols: ['tds/8.0'] }),
    });
    this.#tls.once('secure', () => bridge.secured());
    this.#tls.on('data', (chunk: Buffer) => this.#fromClient(chunk));
    this.#tls.on('error', (error) => {
      this.#log.debug('TLS failed', { error: error.message });
      this.destroy();
    });
    this.#tls.on('end', () => this.#gone());
    bridge.on('error', () => this.destroy());
  }

  /** The client has ended its side: nobody waits for an answer, as drivers never close half of a connection. */
  #gone(): void {
    this.#queue.end();
    this.#assembler.stream?.end('cut');
    this.#closing.abort();
  }

  #closed(): void {
    this.#gone();
    this.#deaf = true;
    this.#forget();
    clearTimeout(this.#overdue);
    this.#tls?.destroy();
    this.#bridge?.destroy();
  }
}
