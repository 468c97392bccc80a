import { SqlError } from '../../base/messages/sql-error.ts';
import { Cancelled, Stopped } from '../../procedure/run/fault.ts';
import type { CallsOptions } from './calls-options.ts';

/** A call that has ended. */
export interface Ran {
  readonly database: string;
  readonly procedure: string;
  /** When it began, by the clock of performance. */
  readonly started: number;
  /** Milliseconds for which it waited because that is what it was told to do. */
  readonly waited: number;
}

/** How a call ended. */
interface CallEnd {
  /** Its return code; absent if it failed. */
  readonly status?: number;
  /** The number of the error that it ended with; 0 for a fault. */
  readonly error?: number;
  /** The message of a fault. */
  readonly fault?: string;
  /** True if its client no longer wanted it. */
  readonly isCancelled?: boolean;
}

/** From this severity on, an error is the server's fault and not the client's: a full disk, no memory. */
const lackOfResources = 17;

/** Tells operators how calls of declared procedures ended: in metrics, refusals, log lines and traces. */
export class EndedCalls {
  readonly #with: Pick<CallsOptions, 'context' | 'identity' | 'log' | 'traceParent'>;

  constructor(options: Pick<CallsOptions, 'context' | 'identity' | 'log' | 'traceParent'>) {
    this.#with = options;
  }

  succeeded(ran: Ran, status: number): void {
    this.#note(ran, { status });
  }

  /** `reason` is why the request was aborted, if it was. */
  failed(ran: Ran, thrown: unknown, reason: unknown): void {
    const { context, identity } = this.#with;
    const { database, procedure } = ran;
    if (reason instanceof Cancelled && !(reason instanceof Stopped)) {
      // Whoever waits for work leaves when there is other work, or none wanted, and they are many.
      if (ran.waited === 0) context.measures.cancelled(database, procedure);
      this.#note(ran, { isCancelled: true });
      return;
    }
    const error = reason instanceof Stopped ? reason.error : thrown;
    const number = error instanceof SqlError ? error.number : 0;
    context.measures.failed(database, procedure, number);
    if (!(error instanceof SqlError)) {
      this.#note(ran, { error: 0, fault: String(error) });
      return;
    }
    const { spid: session, login } = identity;
    const { message } = error;
    context.tap.refuse({ at: context.clock.now(), session, login, database, name: procedure, number, message });
    if (error.severity >= lackOfResources)
      context.log.warn('a call failed', { database, procedure, number, error: message });
    this.#note(ran, { error: number });
  }

  /**
   * Counts a call, without the time for which it was told to wait: the figures tell how quick the server is. Its debug
   * line has its session, procedure, database, duration and outcome, but never its values.
   */
  #note({ database, procedure, started, waited }: Ran, end: CallEnd): void {
    const { log, context } = this.#with;
    const milliseconds = performance.now() - started;
    context.measures.called(database, procedure, milliseconds - waited);
    if (context.tracer !== undefined) this.#trace(database, procedure, { started, milliseconds, ...end });
    if (!log.verbose) return;
    const { status, error, fault, isCancelled } = end;
    const failure = isCancelled === true ? { cancelled: true } : { error: fault ?? error };
    const outcome = status === undefined ? failure : { status };
    log.lines().debug('call', { database, milliseconds: Math.round(milliseconds * 1000) / 1000, ...outcome });
  }

  #trace(
    database: string,
    procedure: string,
    { started, milliseconds, status, error }: CallEnd & { readonly started: number; readonly milliseconds: number },
  ): void {
    const { log, context, identity, traceParent } = this.#with;
    const { spid: session, login } = identity;
    const { activity } = log;
    const span = { database, procedure, session, login, started, milliseconds, status, error };
    context.tracer?.called({ ...span, parent: traceParent(), activity });
  }
}
