import { SqlError, sqlError } from '../base/messages/sql-error.ts';
import { workingFor } from '../base/threads/rota.ts';
import type { SessionEntry } from '../procedure/server-view.ts';
import { type Message, packetTypes } from '../tds/packet/index.ts';
import { modern } from '../tds/version.ts';
import type { Channel, RequestChannel } from './channel.ts';
import type { ServerContext } from './context.ts';
import { answerLogin, type LoggedIn } from './login/login.ts';
import { refuseOldLogin } from './login/old-login.ts';
import { answerPrelogin } from './login/prelogin.ts';
import { Ready, SessionOver } from './ready.ts';
import { Response } from './requests/response.ts';
import { SharedSession } from './shared-session.ts';
import { Turns } from './turns.ts';

/** The maximum number of PRELOGIN messages before a login; a well-behaved client sends one. */
const preloginLimit = 2;

/**
 * The share of the remaining login time after which a database that does not respond is reported: drivers wait no
 * longer than the server.
 */
const shareOfServer = 0.8;

/** The place of a session among the others of its server. */
interface SessionPlace {
  /** True when the connection limit is reached: only an administrator on the machine itself can log in. */
  readonly full: boolean;
  /** Called when the first message of the client has arrived. */
  heard(): void;
  /** Called when the client has logged in. */
  admitted(): void;
}

/** One client connection from its first byte to its last: prelogin, login, requests, end. */
export class Session {
  readonly spid: number;
  readonly #channel: Channel;
  readonly #context: ServerContext;
  readonly #place: SessionPlace;
  readonly #connected: Date;
  #shared: SharedSession | undefined;
  /** Whether both sides want MARS. */
  #mars = false;
  #ended: Promise<void> | undefined;

  constructor(spid: number, channel: Channel, context: ServerContext, place: SessionPlace) {
    this.spid = spid;
    this.#channel = channel;
    this.#context = context;
    this.#place = place;
    this.#connected = context.clock.now();
  }

  /** Serves the client until it leaves. */
  run(): Promise<void> {
    this.#ended ??= this.#run();
    return this.#ended;
  }

  /** Answers the requests received so far and then ends the session; a login that is being checked does not count. */
  async drain(): Promise<void> {
    this.#channel.stopReceiving();
    if (this.#shared === undefined) this.#channel.destroy();
    await this.#ended?.catch(() => {}); // whoever called run() handles its failure
  }

  /** Ends the session immediately: the running request is cancelled without a response. */
  cut(): void {
    this.#channel.destroy();
  }

  /** Ends its transaction, for which others have waited for too long. */
  endTransaction(): void {
    this.#shared?.endTransaction();
  }

  /** The session as the catalog lists it; undefined before its login. */
  entry(): SessionEntry | undefined {
    return this.#shared?.entry(this.#connected);
  }

  async #run(): Promise<void> {
    try {
      const loggedIn = await this.#untilLogin();
      if (!loggedIn) return;
      this.#place.admitted();
      const shared = new SharedSession(this.spid, this.#channel, this.#context, loggedIn);
      this.#shared = shared;
      // Before TDS 7.2 there is no MARS, whatever PRELOGIN said.
      const many = this.#mars && loggedIn.response.dialect.atLeast72;
      await workingFor(shared.login, () =>
        many ? this.#serveMany(shared) : new Ready(shared, this.#channel, loggedIn.response).serve(),
      );
    } catch (error) {
      if (error instanceof SessionOver) return;
      if (!(error instanceof SqlError)) throw error;
      await this.#farewell(error);
    } finally {
      try {
        await this.#shared?.close();
      } finally {
        await this.#channel.end();
      }
    }
  }

  async #untilLogin(): Promise<LoggedIn | undefined> {
    const { loginTimeout } = this.#context.limits;
    const end = performance.now() + loginTimeout;
    const timer = setTimeout(() => this.#channel.destroy(), loginTimeout);
    try {
      for (let prelogins = 0; ; prelogins++) {
        const message = await this.#channel.receive();
        if (!message) return undefined;
        this.#place.heard();
        if (message.type !== packetTypes.prelogin) return await this.#login(message, end);
        if (prelogins >= preloginLimit) throw sqlError(17828);
        this.#mars = answerPrelogin(this.#channel, this.#context, message.payload);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #login({ type, payload }: Message, end: number): Promise<LoggedIn | undefined> {
    if (type === packetTypes.oldLogin) {
      this.#context.log.warn('login refused', {
        session: this.spid,
        address: this.#channel.address,
        tds: 'before 7.0',
      });
      refuseOldLogin(this.#channel, this.spid, this.#context.view.name);
      return undefined;
    }
    if (type !== packetTypes.login7) throw sqlError(17832);
    this.#channel.endLoginTls();
    const now = performance.now();
    // Of the remaining time: a client that was slow to log in is no reason to suspect the database.
    const answerBy = now + (end - now) * shareOfServer;
    return answerLogin(this.spid, this.#channel, this.#context, payload, { full: this.#place.full, answerBy });
  }

  /** MARS: serves every session that the client opens on its connection; an error that ends one ends them all. */
  async #serveMany(shared: SharedSession): Promise<void> {
    const { login } = shared;
    const turns = new Turns(shared.host);
    const serving = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const fail = (error: unknown) => {
      failures.push(error);
      this.#channel.stopReceiving();
      void this.#channel.end();
    };
    const accept = (channel: RequestChannel) => {
      const served = workingFor(login, () => this.#serveOne(shared, channel, turns)).catch(fail);
      serving.add(served);
      void served.then(() => serving.delete(served));
    };
    await this.#channel.multiplex?.(accept).catch((error: unknown) => {
      if (error instanceof SqlError) this.#noteRefused(error);
      fail(error);
    });
    await Promise.all(serving);
    const unforeseen = failures.find((error) => !(error instanceof SqlError || error instanceof SessionOver));
    if (unforeseen !== undefined) throw unforeseen;
  }

  async #serveOne(shared: SharedSession, channel: RequestChannel, turns: Turns): Promise<void> {
    const { dialect, packetSize } = shared.loggedIn.response;
    const response = new Response(channel, dialect, this.spid, this.#context.view.name);
    response.packetSize = packetSize;
    const ready = new Ready(shared, channel, response, turns);
    try {
      await ready.serve();
    } catch (error) {
      // The connection ends without waiting for the client to read this.
      if (error instanceof SqlError) void this.#farewell(error, response);
      throw error;
    } finally {
      shared.streams.delete(ready);
    }
  }

  /** The last response to a client that violates the protocol. */
  async #farewell(error: SqlError, to?: Response): Promise<void> {
    this.#noteRefused(error);
    const response =
      to ?? this.#shared?.response ?? new Response(this.#channel, modern, this.spid, this.#context.view.name);
    response.error(error);
    response.done('batch', { command: 'other', failed: true });
    await response.end();
  }

  #noteRefused(error: SqlError): void {
    this.#context.log.warn('connection refused', {
      session: this.spid,
      address: this.#channel.address,
      number: error.number,
      error: error.message,
    });
  }
}
