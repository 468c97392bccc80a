import { createServer, type Server, type Socket } from 'node:net';
import type { Service } from '../base/service.ts';
import { Registry } from '../procedure/registry.ts';
import { ReaderGates, type ServerContext, TempDb } from '../session/context.ts';
import { Session } from '../session/session.ts';
import { Connection } from './connection.ts';
import { LiveServerView } from './live-server-view.ts';
import { MessageMemory } from './message-memory.ts';
import type { TdsServerOptions } from './options.ts';
import { SessionTable, sessionCapacity } from './session-table.ts';
import { tlsSecrets } from './tls-secrets.ts';

/** Clients beyond the limit that are told so at once; the rest of a flood is dropped unheard. */
const toldTheyAreTooMany = 64;

/** Listens for clients and runs a session for each. */
export class TdsServer implements Service {
  readonly #options: TdsServerOptions;
  readonly #listener: Server;
  readonly #sessions = new SessionTable();
  readonly #mostSessions: number;
  #stopped: Promise<void> | undefined;

  constructor(options: TdsServerOptions) {
    this.#options = options;
    this.#mostSessions = Math.min(options.limits.maxConnections, sessionCapacity - toldTheyAreTooMany);
    const context = this.#context(options);
    const secrets = tlsSecrets(options.tls);
    const memory = new MessageMemory(options.limits.messageMemory, options.limits.messageMemoryPerAddress);
    this.#listener = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
      const log = options.log.with({ address: socket.remoteAddress });
      const connection = new Connection(socket, { secrets, limits: options.limits, memory, log });
      this.#serve(socket, connection, context);
    });
    this.#listener.maxConnections = this.#mostSessions + toldTheyAreTooMany;
  }

  /** The port that it listens on. */
  get port(): number {
    const address = this.#listener.address();
    return typeof address === 'object' && address ? address.port : this.#options.port;
  }

  /** How many clients are connected. */
  get connections(): number {
    return this.#sessions.size;
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

  /** Takes no more clients, lets every call in flight end and be answered, then closes. */
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

  #serve(socket: Socket, connection: Connection, context: ServerContext): void {
    const spid = this.#sessions.nextId();
    const session = new Session(spid, connection, context, this.#sessions.size >= this.#mostSessions);
    this.#sessions.add(session);
    session
      .run()
      .catch((error: unknown) =>
        this.#options.log.error('a session failed', {
          session: spid,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      )
      .finally(() => {
        this.#sessions.delete(session);
        socket.destroy();
      });
  }

  #context(options: TdsServerOptions): ServerContext {
    const registries = new Map(options.kinds.map((kind) => [kind.name, new Registry(kind)]));
    return {
      engine: options.engine,
      accounts: options.accounts,
      clock: options.clock,
      log: options.log,
      encryption: options.encryption,
      limits: options.limits,
      registry: (kind) => registries.get(kind),
      view: new LiveServerView(options, this.#sessions),
      tempDb: new TempDb(),
      readers: new ReaderGates(options.log),
      wakeUpkeep: () => options.wakeUpkeep(),
    };
  }
}
