import { ruleBroken, SqlError } from '../base/sql-error.ts';
import { Cancelled, OutOfTime, toSqlError } from '../procedure/fault.ts';
import type { SessionEntry } from '../procedure/server-view.ts';
import { loginFlags } from '../tds/message/login7.ts';
import { type Message, packetTypes } from '../tds/packet/index.ts';
import { isolationLevels } from '../tsql/options.ts';
import { runBatchRequest } from './batch-request.ts';
import { runBulkLoad } from './bulk-load.ts';
import type { Channel } from './channel.ts';
import type { ServerContext } from './context.ts';
import { IdleTransaction } from './idle-transaction.ts';
import type { LoggedIn } from './login.ts';
import type { RequestContext } from './request-context.ts';
import type { Response } from './response.ts';
import { runRpcRequest } from './rpc-request.ts';
import { SessionHost } from './session-host.ts';
import { SessionRecovery } from './session-recovery.ts';
import { isRollback, runTransactionRequest } from './transaction-request.ts';
import { undoUnderXactAbort } from './xact-abort.ts';

type RequestHandler = (payload: Buffer, request: RequestContext) => Promise<void>;

const handlers: Readonly<Partial<Record<number, RequestHandler>>> = {
  [packetTypes.sqlBatch]: runBatchRequest,
  [packetTypes.rpc]: runRpcRequest,
  [packetTypes.transaction]: runTransactionRequest,
  [packetTypes.bulkLoad]: runBulkLoad,
};

/** Thrown when a statement's error of severity 20 or more has ended the session; the client has been told. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver';
}

/** A client that has logged in: takes one request after the other, each answered by one message. */
export class Ready {
  readonly response: Response;
  readonly #channel: Channel;
  readonly #context: ServerContext;
  readonly #loggedIn: LoggedIn;
  readonly #host: SessionHost;
  readonly #recovery: SessionRecovery | undefined;
  readonly #idle: IdleTransaction;
  #command = '';
  #busy = false;
  #cancel: AbortController | undefined;
  readonly #stop = () => this.#cancel?.abort(new Cancelled());

  constructor(spid: number, channel: Channel, context: ServerContext, loggedIn: LoggedIn) {
    this.#channel = channel;
    this.#context = context;
    this.#loggedIn = loggedIn;
    const { login, through, authentication, isAdministrator, client, response } = loggedIn;
    this.response = response;
    this.#host = new SessionHost(
      context,
      {
        spid,
        login,
        through,
        authentication,
        user: isAdministrator ? 'dbo' : login,
        host: client.hostName,
        program: client.appName,
        isAdministrator,
      },
      {
        odbc: (client.optionFlags2 & loginFlags.odbc) !== 0,
        knowsNoLimit: response.dialect.atLeast73,
        clientAddress: channel.address,
        serverAddress: channel.localAddress,
        port: channel.localPort,
      },
      loggedIn,
      {
        transaction: (event, descriptor) => {
          if (event !== 'begun') context.view.locks.releaseAll({ spid, scope: 'Transaction' });
          response.transactionChanged(event, descriptor);
        },
        databaseChanged: (to, from) => response.databaseChanged(to, from),
      },
      { stalledSince: () => channel.stalledSince, cut: () => channel.destroy() },
    );
    response.inTransaction = () => this.#host.transactions.count > 0;
    this.#recovery = loggedIn.recovery && new SessionRecovery(this.#host, loggedIn.recovery.lost);
    this.#idle = new IdleTransaction(this.#host, context.limits.idleTransactionTimeout);
  }

  /** Answers one message. */
  async answer(message: Message): Promise<void> {
    if (message.type === packetTypes.attention) {
      // Whatever it was meant to stop has been answered by now; the client waits for this.
      this.response.attentionAcknowledged();
      return this.response.end();
    }
    const ending = this.#idle.begin();
    if (ending) await ending;
    this.#busy = true;
    const cancel = this.#freshCancel();
    this.#channel.onAttention = this.#stop;
    if (this.#channel.attentionWaits) this.#stop(); // it came together with the request
    const limit = this.#limitTime(cancel);
    try {
      await this.#run(message, cancel.signal);
      this.#recovery?.tell(this.response);
      await this.response.end();
    } finally {
      clearTimeout(limit);
      this.#channel.onAttention = undefined;
      this.#command = '';
      this.#busy = false;
      this.#idle.end();
    }
  }

  /** What cancels the next request: the same for all of them until one was cancelled, as hardly any is. */
  #freshCancel(): AbortController {
    if (this.#cancel !== undefined && !this.#cancel.signal.aborted) return this.#cancel;
    if (this.#cancel === undefined) this.#channel.closed.addEventListener('abort', this.#stop, { once: true });
    const cancel = new AbortController();
    this.#cancel = cancel;
    this.response.checkCancelled = () => cancel.signal.throwIfAborted();
    return cancel;
  }

  /** The execution timeout timer (MS-WSSCFGD2 3.1.2), where the server has one. */
  #limitTime(cancel: AbortController): NodeJS.Timeout | undefined {
    const { executionTimeout } = this.#context.limits;
    if (executionTimeout === 0) return undefined;
    return setTimeout(() => cancel.abort(new OutOfTime(executionTimeout)), executionTimeout);
  }

  async #run(message: Message, signal: AbortSignal): Promise<void> {
    const { response } = this;
    const handler = handlers[message.type];
    const host = this.#host;
    host.log.begin();
    try {
      if (message.reset !== 'none') {
        response.resetAcknowledged();
        await host.reset(message.reset === 'resetKeepTransaction');
        this.#recovery?.reset();
      }
      const news = this.#idle.takeNews();
      // Who starts afresh, or wants to undo it anyway, has lost nothing.
      if (news !== undefined && message.reset !== 'reset') {
        if (isRollback(message, response)) return response.done('batch', { command: 'other' });
        throw news;
      }
      if (message.ignored) return response.done('batch', { command: 'other', failed: true });
      if (!handler) throw ruleBroken(`A message of type 0x${message.type.toString(16)} is not understood here.`);
      await handler(message.payload, {
        host,
        response,
        server: this.#context,
        ...(message.stream === undefined ? {} : { stream: message.stream }),
        signal,
        running: (command) => {
          this.#command = command;
        },
      });
    } catch (error) {
      // Clients listen only when they have sent all of their bulk load.
      await message.stream?.discard();
      await this.#fail(error, signal);
    }
  }

  /** The one place where what a request throws becomes ERROR and DONE. */
  async #fail(thrown: unknown, signal: AbortSignal): Promise<void> {
    const { response } = this;
    if (thrown instanceof SqlError && thrown.severity >= 20) {
      this.#host.log.lines().warn('an error ended the session', { number: thrown.number, error: thrown.message });
      response.error(thrown);
      response.done('batch', { command: 'other', fatal: true });
      await response.end();
      throw new SessionOver();
    }
    const cancelled = thrown instanceof Cancelled || signal.aborted;
    const outOfTime = signal.reason instanceof OutOfTime;
    if (outOfTime) response.failure(this.#noteOutOfTime(signal.reason));
    else if (!cancelled) response.failure(toSqlError(thrown, this.#host.log.lines(), this.#host.log.procedure));
    if (cancelled) await undoUnderXactAbort(this.#host);
    // A DONE with the error bit and no ERROR before it is an unknown failure to jTDS; the acknowledgement tells of the cancel.
    response.done('batch', { command: 'other', failed: outOfTime || !cancelled });
  }

  #noteOutOfTime({ error }: OutOfTime): SqlError {
    this.#host.log.lines().warn('a request ran out of time', { command: this.#command });
    return error;
  }

  /** The client is gone. */
  async close(): Promise<void> {
    await this.#idle.close();
    await this.#host.close();
  }

  /** The session as the catalog lists it. */
  entry(connected: Date): SessionEntry {
    const { client, tdsVersion } = this.#loggedIn;
    return {
      spid: this.#host.identity.spid,
      login: this.#host.identity.login,
      authentication: this.#host.identity.authentication,
      host: client.hostName,
      program: client.appName,
      clientInterface: client.libraryName,
      database: this.#host.database,
      address: this.#channel.address,
      connected,
      status: this.#busy ? 'running' : 'sleeping',
      command: this.#command,
      transactions: this.#host.transactions.count,
      encrypted: this.#channel.encrypted,
      tdsVersion,
      packetSize: this.response.packetSize,
      settings: { ...this.#host.options, isolationLevel: isolationLevels[this.#host.options.isolation] },
    };
  }
}
