import { createServer, type Server, type Socket } from 'node:net';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Service } from '../base/service.ts';
import type { Engine } from '../engine/engine.ts';
import type { Kind } from '../procedure/kind.ts';
import { Registry } from '../procedure/registry.ts';
import type { EncryptionPolicy, ServerContext, SessionLimits } from '../session/context.ts';
import { Session } from '../session/session.ts';
import { Connection } from './connection.ts';
import { LiveServerView } from './live-server-view.ts';
import { SessionTable } from './session-table.ts';
import { tlsSecrets } from './tls-secrets.ts';

/** The server's limits: safe by default, each a setting. */
export interface ServerLimits extends SessionLimits {
  readonly maxConnections: number;
  /** The greatest message of a client, in bytes. */
  readonly maxMessage: number;
}

export interface TdsServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Certificate and key, in PEM. */
  readonly tls: { readonly cert: string; readonly key: string };
  readonly encryption: EncryptionPolicy;
  readonly engine: Engine;
  readonly accounts: Accounts;
  /** Every kind of database, the kind `system` among them. */
  readonly kinds: readonly Kind[];
  readonly limits: ServerLimits;
  readonly serverName: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Listens for clients and runs a session for each. */
export class TdsServer implements Service {
  readonly #options: TdsServerOptions;
  readonly #listener: Server;
  readonly #sessions = new SessionTable();
  #stopped: Promise<void> | undefined;

  constructor(options: TdsServerOptions) {
    this.#options = options;
    const context = this.#context(options);
    const secrets = tlsSecrets(options.tls);
    this.#listener = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
      const log = options.log.with({ address: socket.remoteAddress });
      const connection = new Connection(socket, secrets, options.limits, log);
      this.#serve(socket, connection, context);
    });
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
    const { limits, log } = this.#options;
    const spid = this.#sessions.nextId();
    const session = new Session(spid, connection, context, this.#sessions.size >= limits.maxConnections);
    this.#sessions.add(session);
    session
      .run()
      .catch((error: unknown) => log.error('a session failed', { session: spid, error: String(error) }))
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
    };
  }
}
