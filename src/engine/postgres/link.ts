import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { beforeSending, sendAfterTurn } from '../../base/send-after-turn.ts';
import type { Compiled } from '../compile.ts';
import { type Answer, Batch } from './batch.ts';
import { CopyIn } from './copy-in.ts';
import { isLoss, translated } from './errors.ts';
import { statementName } from './statement-names.ts';

/** How a statement is to be run. */
interface QueryOptions {
  readonly wide?: boolean;
  /** False for what is not worth a prepared statement. */
  readonly prepared?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds after which a cancel is repeated. */
const cancelAgain = 200;

/** One connection in use; every error leaves translated, and a cancel reaches the server. */
export class Link {
  readonly #client: PoolClient;
  readonly #pipelined: boolean;
  /** The statements that wait for the end of the turn. */
  #batch: Batch | undefined;
  readonly #cancel: (processId: number) => Promise<void>;
  readonly #onError = () => {
    this.#broken = true;
  };
  /** The sessions that it works for, and since when. */
  #who: readonly number[] = [];
  #since = 0;
  #broken = false;
  #waiting = false;

  /** A `pipelined` connection sends all that was asked of it in one turn of the event loop at once. */
  constructor(client: PoolClient, cancel: (processId: number) => Promise<void>, pipelined: boolean) {
    this.#client = client;
    this.#pipelined = pipelined;
    this.#cancel = cancel;
    client.on('error', this.#onError);
  }

  /** Notes for whom it works from now on, and since when they wait for that. */
  serve(who: readonly (number | undefined)[], since: number = performance.now()): void {
    this.#who = who.filter((each) => each !== undefined);
    this.#since = since;
  }

  /** For whom it works, since when, and which process of PostgreSQL does. */
  get service(): { readonly who: readonly number[]; readonly since: number; readonly processId: number } {
    return { who: this.#who, since: this.#since, processId: processIdOf(this.#client) };
  }

  get broken(): boolean {
    return this.#broken;
  }

  /** Runs text without parameters and returns what the last statement answers; several statements are one round trip. */
  async exec(text: string, signal?: AbortSignal): Promise<string> {
    this.#send();
    if (this.#pipelined) sendAfterTurn(this.#client.connection.stream);
    return this.#cancellable(text, signal, async () => {
      const results = [await this.#client.query(text)].flat();
      return results.at(-1)?.command ?? '';
    });
  }

  /** Begins a transaction, which may wait for a lock. */
  async begin(text: string, signal?: AbortSignal): Promise<void> {
    this.#waiting = true;
    try {
      await this.exec(text, signal);
    } finally {
      this.#waiting = false;
    }
  }

  /** Makes a `begin` that waits for a lock fail. */
  async stopWaiting(): Promise<void> {
    if (this.#waiting) await this.cancel();
  }

  /** Stops the statement that runs now. */
  cancel(): Promise<void> {
    return this.#cancel(processIdOf(this.#client));
  }

  query({ text, parameters }: Compiled, options: QueryOptions = {}): Promise<Answer> {
    const name = options.prepared === false ? undefined : statementName(text);
    const statement = { text, name, parameters, wide: options.wide === true };
    return this.#cancellable(text, options.signal, () => {
      this.#batch ??= this.#newBatch();
      const answer = this.#batch.ask(statement);
      if (!this.#pipelined) this.#send();
      return answer;
    });
  }

  #newBatch(): Batch {
    if (this.#pipelined) beforeSending(() => this.#send());
    return new Batch();
  }

  #send(): void {
    const batch = this.#batch;
    this.#batch = undefined;
    if (batch !== undefined) this.#client.query(batch);
  }

  /** Copies rows in; `text` is COPY … FROM STDIN. Resolves to their number. */
  copyIn(text: string, chunks: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<number> {
    return this.#cancellable(text, signal, () => this.#client.query(new CopyIn(text)).send(chunks));
  }

  /** Undoes the open transaction; a connection that cannot even do that is given up. */
  async rollback(): Promise<void> {
    if (this.#broken) return;
    await this.exec('rollback').catch(this.#onError);
  }

  release(broken: boolean): void {
    this.#client.off('error', this.#onError);
    this.#client.release(broken);
  }

  async #cancellable<T>(text: string, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    let cancelled: Promise<void> | undefined;
    const { promise: over, resolve: end } = Promise.withResolvers<'over'>();
    const abort = () => {
      cancelled = this.#cancelUntil(over);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await run();
    } catch (error) {
      if (isLoss(error)) this.#broken = true;
      throw signal?.aborted === true ? signal.reason : translated(error, text);
    } finally {
      end('over');
      signal?.removeEventListener('abort', abort);
      // A cancel under way would else hit whatever this connection does next.
      await cancelled;
    }
  }

  /** PostgreSQL forgets a cancel that comes before it has begun with the statement, so one that was not heard is repeated. */
  async #cancelUntil(over: Promise<'over'>): Promise<void> {
    do await this.cancel();
    while ((await Promise.race([over, delay(cancelAgain)])) !== 'over');
  }
}

/** The driver keeps the number of its server process, but its types do not tell. */
function processIdOf(client: PoolClient): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0;
}
