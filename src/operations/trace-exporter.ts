import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log/log.ts';
import type { Count, Family } from '../base/log/measures.ts';
import type { CallSpan, Tracer } from '../base/log/tracer.ts';
import type { Service } from '../base/service.ts';
import { otlp, parentOf, type Resource } from './otlp.ts';
import { postJson } from './post.ts';

/**
 * The maximum number of spans that wait for the collector; more are dropped, since neither memory nor calls may wait
 * for it.
 */
const mostWaiting = 4096;
/** Spans in a request, so few that writing them down does not stop the sessions. */
const mostTogether = 512;
/** Milliseconds that spans wait for others. */
const usualWait = 1000;
/** Milliseconds after a failure until the next try, twice as many after each. */
const firstPause = 1000;
const longestPause = 60_000;
/** Answers after which a collector may take the same spans later: any other refusal is final (OTLP/HTTP). */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** How often an unavailable collector is reported. */
const complaintsApart = 60_000;
/** How long a stop waits for the collector. */
const farewell = 2000;

/** Why spans were not taken, and whether they would not be taken later either. */
interface Refusal {
  readonly reason: string;
  readonly isFinal: boolean;
}

interface TraceExporterOptions {
  readonly collector: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Resource;
  readonly version: string;
  /** By `outcome`: exported, dropped. */
  readonly spans: Family<Count>;
  /** That of the machine, by which the other parts of a trace go too. */
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Sends a span a call to a collector of OpenTelemetry, in the background; what it cannot send is dropped and counted.
 */
export class TraceExporter implements Service, Tracer {
  readonly #options: TraceExporterOptions;
  readonly #url: URL;
  #waiting: CallSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #pause = 0;
  #complained = Number.NEGATIVE_INFINITY;
  #stopping = new AbortController();

  constructor(options: TraceExporterOptions) {
    this.#options = options;
    this.#url = new URL(options.collector);
    // As the specification has it: an address without a path is the collector's, and its signals have paths of their
    // own.
    if (this.#url.pathname === '/') this.#url.pathname = '/v1/traces';
  }

  async start(): Promise<void> {
    this.#stopping = new AbortController();
  }

  called(span: CallSpan): void {
    if (span.parent !== '' && parentOf(span.parent)?.sampled === false) return;
    if (this.#waiting.length >= mostWaiting) {
      this.#options.spans.of('dropped').add();
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length === mostTogether && this.#pause === 0) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), this.#pause || usualWait).unref();
  }

  /** Sends what is left, if the collector takes it soon. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(), farewell);
    try {
      await this.#sending;
      if (this.#waiting.length > 0 && this.#pause === 0) await this.#send();
    } finally {
      clearTimeout(timer);
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#options.spans.of('dropped').add(this.#waiting.length);
      this.#waiting = [];
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#send(), this.#pause || usualWait).unref();
    });
    return this.#sending;
  }

  /** One request after another until nothing waits, or the collector is to be asked later. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stopping.signal.aborted) {
      const batch = this.#waiting.slice(0, mostTogether);
      const { resource, version, headers, spans, clock } = this.#options;
      // Computed each time: the clock may be set, and the clock of calls stops while a machine sleeps.
      const origin = clock.now().getTime() - performance.now();
      const refusal = await this.#post(otlp(batch, resource, version, origin), headers);
      if (refusal?.isFinal === false) return this.#failed(refusal);
      this.#pause = 0;
      this.#waiting.splice(0, batch.length);
      spans.of(refusal === undefined ? 'exported' : 'dropped').add(batch.length);
      if (refusal !== undefined) this.#complain(refusal);
    }
  }

  async #post(body: string, headers: Readonly<Record<string, string>>): Promise<Refusal | undefined> {
    try {
      const status = await postJson(this.#url, headers, body, this.#stopping.signal);
      if (status >= 200 && status < 300) return undefined;
      return { reason: `it answered ${status}`, isFinal: !passing.has(status) };
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error), isFinal: false };
    }
  }

  /** The spans are kept until the collector is back; further ones that do not fit are dropped. */
  #failed(refusal: Refusal): void {
    this.#pause = Math.min(Math.max(firstPause, this.#pause * 2), longestPause);
    this.#complain(refusal);
  }

  #complain({ reason }: Refusal): void {
    const now = performance.now();
    if (now - this.#complained < complaintsApart || this.#stopping.signal.aborted) return;
    this.#complained = now;
    const { log, spans } = this.#options;
    log.warn('the trace collector does not accept spans', {
      collector: this.#url.origin,
      error: reason,
      waiting: this.#waiting.length,
      dropped: spans.of('dropped').value,
    });
  }
}
