import { noteCall } from '../base/memory/young-generation.ts';
import { ruleBroken, SqlError } from '../base/messages/sql-error.ts';
import { hasHadItsShare, nextTurn, thisRound } from '../base/threads/rota.ts';
import { Cancelled, OutOfTime, Stopped, toSqlError } from '../procedure/run/fault.ts';
import { type Message, packetTypes } from '../tds/packet/index.ts';
import type { RequestChannel } from './channel.ts';
import { runBatchRequest } from './requests/batch-request.ts';
import { runBulkLoad } from './requests/bulk-load.ts';
import type { RequestContext } from './requests/request-context.ts';
import type { Response } from './requests/response.ts';
import { runRpcRequest } from './requests/rpc-request.ts';
import { isRollback, runTransactionRequest } from './requests/transaction-request.ts';
import type { SessionHost } from './session-host.ts';
import type { Running, SharedSession } from './shared-session.ts';
import { checkDescriptor, endBatchTransaction } from './transactions/batch-transaction.ts';
import type { Reader } from './transactions/reader-gates.ts';
import { undoUnderXactAbort } from './transactions/xact-abort.ts';
import type { Runner, Turns } from './turns.ts';

type RequestHandler = (payload: Buffer, request: RequestContext) => Promise<void>;

const handlers: Readonly<Partial<Record<number, RequestHandler>>> = {
  [packetTypes.sqlBatch]: runBatchRequest,
  [packetTypes.rpc]: runRpcRequest,
  [packetTypes.transaction]: runTransactionRequest,
  [packetTypes.bulkLoad]: runBulkLoad,
};

/** Thrown after an error of severity 20 or more has ended the session; the client has been told. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver';
}

/** A client that has logged in: dispatches one request after another, each answered by one message. */
export class Ready implements Runner, Running {
  readonly response: Response;
  readonly #channel: RequestChannel;
  readonly #shared: SharedSession;
  readonly #host: SessionHost;
  /** With MARS, what schedules its turns. */
  readonly #turns: Turns | undefined;
  readonly #reader: Reader;
  readonly #running = (command: string, text?: string): void => {
    this.command = command;
    this.text = text;
    this.began = performance.now();
  };
  command = '';
  text: string | undefined;
  began = 0;
  isBusy = false;
  #cancel: AbortController | undefined;
  readonly #stop = () => this.#cancel?.abort(new Cancelled());

  constructor(shared: SharedSession, channel: RequestChannel, response: Response, turns?: Turns) {
    this.#shared = shared;
    this.#host = shared.host;
    this.#channel = channel;
    this.response = response;
    this.#turns = turns;
    response.inTransaction = () => this.#host.transactions.count > 0;
    this.#reader = this.#host.requests.reader;
    shared.streams.add(this);
    if (turns === undefined) return;
    const aside = <T>(wait: () => Promise<T>) => turns.aside(this, wait);
    channel.aside = aside;
    const { login, spid } = shared;
    this.#reader = {
      login,
      spid,
      cut: () => shared.cut(),
      expire: (what) => shared.expire(what),
      stalledSince: () => channel.stalledSince,
      aside,
    };
  }

  entered(): void {
    this.#shared.response = this.response;
    this.#host.requests.reader = this.#reader;
  }

  stop(error: SqlError): void {
    this.#cancel?.abort(new Stopped(error));
  }

  /** Answers one message after another until there are no more. */
  async serve(): Promise<void> {
    while (await this.#answerNext());
  }

  /**
   * False when there are no more. No message is held while waiting for the next: that of an idle client would stay in
   * memory with its buffer.
   */
  async #answerNext(): Promise<boolean> {
    const message = await this.#channel.receive();
    if (message === undefined) return false;
    // A client that waits for each response leaves time to others; one that sends ahead must be made to yield.
    const since = this.#channel.sendsAhead ? { round: thisRound(), began: performance.now() } : undefined;
    if (message.type === packetTypes.attention) {
      // The request that it was meant to stop has already been answered; the client waits for the acknowledgement.
      this.response.attentionAcknowledged();
      await this.response.end();
    } else if (this.#turns !== undefined && this.#channel.closed.aborted) {
      // A session that has ended starts nothing new.
      await message.stream?.discard();
    } else await this.#answerRequest(message);
    if (since !== undefined && hasHadItsShare(since)) await nextTurn();
    return true;
  }

  async #answerRequest(message: Message): Promise<void> {
    noteCall();
    const { idle } = this.#shared;
    const ending = idle.begin();
    if (ending) await ending;
    this.isBusy = true;
    const cancel = this.#freshCancel();
    this.#channel.onAttention = this.#stop;
    if (this.#channel.attentionWaits) this.#stop(); // it came together with the request
    const limit = this.#limitTime(cancel);
    try {
      if (this.#turns === undefined) {
        await this.#run(message, cancel.signal);
        const slow = this.#end();
        if (slow) await slow;
      } else await this.#answerInTurn(message, cancel.signal, this.#turns);
    } finally {
      clearTimeout(limit);
      this.#channel.onAttention = undefined;
      this.command = '';
      this.text = undefined;
      this.isBusy = false;
      idle.end();
    }
  }

  #end(): void | Promise<void> {
    this.#shared.recovery?.tell(this.response);
    return this.response.end();
  }

  async #answerInTurn(message: Message, signal: AbortSignal, turns: Turns): Promise<void> {
    const answer = async () => {
      await this.#run(message, signal);
      await this.#end();
    };
    if (await turns.run(this, signal, answer)) return;
    // It was cancelled before it got a turn.
    await this.#dropRest(message);
    this.response.done('batch', { command: 'other', failed: this.#tellStopped(signal.reason) });
    await this.response.end();
  }

  /** The abort controller of the next request: reused until a request is cancelled, which is rare. */
  #freshCancel(): AbortController {
    if (this.#cancel !== undefined && !this.#cancel.signal.aborted) return this.#cancel;
    if (this.#cancel === undefined) this.#channel.closed.addEventListener('abort', this.#stop, { once: true });
    const cancel = new AbortController();
    this.#cancel = cancel;
    this.response.checkCancelled = () => cancel.signal.throwIfAborted();
    return cancel;
  }

  /** The execution timeout timer (MS-WSSCFGD2 3.1.2), if the server has one. */
  #limitTime(cancel: AbortController): NodeJS.Timeout | undefined {
    const { executionTimeout } = this.#shared.context.limits;
    if (executionTimeout === 0) return undefined;
    return setTimeout(() => cancel.abort(new OutOfTime(executionTimeout)), executionTimeout);
  }

  async #run(message: Message, signal: AbortSignal): Promise<void> {
    const { response } = this;
    const { type } = message;
    const handler = handlers[type];
    const host = this.#host;
    host.log.begin();
    try {
      if (message.reset !== 'none') {
        response.resetAcknowledged();
        await host.reset(message.reset === 'resetKeepTransaction');
        this.#shared.recovery?.reset();
      }
      const news = this.#shared.idle.takeNews();
      // A client that resets its session, or wants to roll back anyway, has lost nothing.
      if (news !== undefined && message.reset !== 'reset') {
        if (isRollback(message, response)) return response.done('batch', { command: 'other' });
        throw news;
      }
      if (message.ignored) return response.done('batch', { command: 'other', failed: true });
      // With MARS a transaction begun by T-SQL belongs to its batch (3997).
      const isBatch = this.#turns !== undefined && type !== packetTypes.transaction && host.transactions.count === 0;
      if (this.#turns !== undefined && message.reset === 'none') checkDescriptor(message, host, response);
      if (!handler) throw ruleBroken(`A message of type 0x${type.toString(16)} is not supported here.`);
      await handler(message.payload, {
        host,
        response,
        server: this.#shared.context,
        stream: message.stream,
        signal,
        aside: this.#channel.aside,
        running: this.#running,
      });
      if (isBatch) await endBatchTransaction(host, response);
    } catch (error) {
      await this.#dropRest(message);
      await this.#fail(error, signal);
    }
  }

  /**
   * Discards the rest of a bulk load: clients read the response only after they have sent everything. The transaction
   * counts as idle meanwhile, because others may be waiting for it.
   */
  async #dropRest({ stream }: Message): Promise<void> {
    if (stream === undefined) return;
    const { idle } = this.#shared;
    idle.end();
    await stream.discard();
    await idle.begin();
  }

  /** The one place where an exception of a request becomes ERROR and DONE. */
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
    const isStopped = this.#tellStopped(signal.reason);
    if (!cancelled) response.failure(toSqlError(thrown, this.#host.log.lines(), this.#host.log.procedure));
    else await undoUnderXactAbort(this.#host);
    // To jTDS, a DONE with the error bit but without ERROR is an unknown failure; the attention acknowledgement is
    // enough.
    response.done('batch', { command: 'other', failed: isStopped || !cancelled });
  }

  /** Reports why the server itself has cancelled a request; false if it has not. */
  #tellStopped(reason: unknown): boolean {
    if (!(reason instanceof Stopped)) return false;
    if (reason instanceof OutOfTime) {
      this.#host.log.lines().warn('a request exceeded the execution timeout', { command: this.command });
    }
    if (reason.error.number === 3966) this.#shared.idle.told();
    this.response.failure(reason.error);
    return true;
  }
}
