import { createServer, type Server, type Socket } from 'node:net';
import { noteLogIn } from '../base/memory/young-generation.ts';
import type { Service } from '../base/service.ts';
import { Session } from '../session/session.ts';
import { Connection } from './connection.ts';
import { Handshakes } from './handshakes.ts';
import { MessageMemory } from './message-memory.ts';
import type { TdsServerOptions } from './options.ts';
import type { KeyPair } from './self-signed.ts';
import { type SessionTable, sessionCapacity } from './session-table.ts';
import { type TlsSecrets, tlsSecrets } from './tls-secrets.ts';

/**
 * Connections accepted beyond the limit, either to be told that there are too many, or because they may turn out to be
 * administrators on the machine itself. Beyond these, the connection that has gone longest without a login is closed.
 */
const beyondLimit = 64;

/** Accepts TDS connections and runs a session for each: the entry point of every request. */
export class TdsServer implements Service {
  readonly #options: TdsServerOptions;
  readonly #listener: Server;
  readonly #sessions: SessionTable;
  readonly #memory: MessageMemory;
  readonly #mostSessions: number;
  #secrets: TlsSecrets;
  #stopped: Promise<void> | undefined;

  constructor(options: TdsServerOptions) {
    this.#options = options;
    this.#mostSessions = Math.min(options.limits.maxConnections, sessionCapacity - beyondLimit);
    this.#sessions = options.sessions;
    this.#secrets = tlsSecrets(options.tls, options.tlsMinVersion);
    const handshakes = new Handshakes();
    const { messageMemory, messageMemoryPerAddress } = options.limits;
    const memory = new MessageMemory(messageMemory, messageMemoryPerAddress);
    this.#memory = memory;
    this.#listener = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
      if (!this.#makeRoom(socket.remoteAddress ?? '')) {
        socket.destroy();
        return;
      }
      noteLogIn();
      const log = options.log.with({ address: socket.remoteAddress });
      const parts = { secrets: this.#secrets, limits: options.limits, memory, handshakes, log };
      const connection = new Connection(socket, parts);
      this.#serve(socket, connection);
    });
  }

  /** The port that it listens on. */
  get port(): number {
    const address = this.#listener.address();
    return typeof address === 'object' && address ? address.port : this.#options.port;
  }

  /** The number of connected clients. */
  get connections(): number {
    return this.#sessions.size;
  }

  /** The memory budgets of incoming messages. */
  get budgets(): MessageMemory['budgets'] {
    return this.#memory.budgets;
  }

  /** Uses another certificate for connections from now on. */
  renew(pair: KeyPair): void {
    this.#secrets = tlsSecrets(pair, this.#options.tlsMinVersion);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#listener.once('error', reject);
      this.#listener.listen(this.#options.port, this.#options.host, () => {
        this.#listener.off('error', reject);
        this.#listener.on('error', (error) => this.#options.log.error('the listener failed', { error: error.message }));
        resolve();
      });
    });
  }

  /** Stops accepting connections, lets calls in flight finish and be answered, then closes. */
  stop(): Promise<void> {
    this.#stopped ??= this.#drain();
    return this.#stopped;
  }

  async #drain(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      if (this.#listener.listening) this.#listener.close(() => resolve());
      else resolve();
    });
    await this.#sessions.drain();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #serve(socket: Socket, connection: Connection): void {
    const spid = this.#sessions.nextId();
    const { address } = connection;
    const session: Session = new Session(spid, connection, this.#options.context, {
      full: this.#isFull(address),
      heard: () => this.#sessions.hear(session, address),
      admitted: () => this.#sessions.admit(session, address),
    });
    this.#sessions.add(session, address);
    session
      .run()
      .catch((error: unknown) =>
        this.#options.log.error('a session failed', {
          session: spid,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      )
      .finally(() => {
        this.#sessions.delete(session, address);
        socket.destroy();
      });
  }

  #isFull(address: string): boolean {
    const { maxConnectionsPerAddress } = this.#options.limits;
    return this.#sessions.size >= this.#mostSessions || this.#sessions.ofAddress(address) >= maxConnectionsPerAddress;
  }

  /**
   * Closes a connection that has not logged in, if the limit is reached: silent ones must not keep others out. False
   * when there is none.
   */
  #makeRoom(address: string): boolean {
    const { maxConnectionsPerAddress } = this.#options.limits;
    if (this.#sessions.ofAddress(address) >= maxConnectionsPerAddress) this.#sessions.makeRoom(address);
    else if (this.#sessions.size >= this.#mostSessions) this.#sessions.makeRoom();
    return this.#sessions.size < this.#mostSessions + beyondLimit;
  }
}
