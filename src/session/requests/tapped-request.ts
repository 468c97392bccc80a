import { SqlError } from '../../base/messages/sql-error.ts';
import type { Recording } from '../../procedure/call-tap.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { Column } from '../../procedure/run/sink.ts';
import type { SessionOptions } from '../../tsql/options.ts';
import { begunCall, shownError } from '../calls/tapped.ts';
import type { RequestContext } from './request-context.ts';
import type { Response } from './response.ts';
import { WireSink } from './wire-sink.ts';

/** The error for an unknown procedure. */
const noSuchProcedure = 2812;

/** A sink that remembers the first error that it sends. */
class NotingSink extends WireSink {
  firstError: SqlError | undefined;

  override error(error: SqlError): void {
    this.firstError ??= error;
    super.error(error);
  }
}

/** A sink that records what it sends for those who watch live calls. */
class TappedSink extends NotingSink {
  readonly #recording: Recording;

  constructor(recording: Recording, response: Response, options: SessionOptions, rpc: boolean) {
    super(response, options, rpc);
    this.#recording = recording;
  }

  override columns(columns: readonly Column[]): void {
    this.#recording.sets.push({ columns, rows: 0 });
    super.columns(columns);
  }

  override row(values: readonly unknown[]): void | Promise<void> {
    const set = this.#recording.sets.at(-1);
    if (set !== undefined) set.rows++;
    return super.row(values);
  }
}

/** Runs T-SQL, or one of the procedures that run it, and reports it to those who watch live calls. */
export async function tappedRequest<T extends object>(
  request: RequestContext,
  called: { readonly name: string; readonly args: readonly Argument[]; readonly rpc: boolean },
  run: (sink: WireSink) => Promise<T>,
): Promise<T> {
  const { host, response, server } = request;
  const { listener } = server.tap;
  const recording = listener?.begin(begunCall(host.identity, host.database, called));
  const sink = recording
    ? new TappedSink(recording, response, host.options, called.rpc)
    : new NotingSink(response, host.options, called.rpc);
  const began = recording === undefined ? 0 : performance.now();
  let ended: T | undefined;
  let failure: SqlError | undefined;
  try {
    ended = await run(sink);
    return ended;
  } catch (thrown) {
    if (thrown instanceof SqlError) sink.firstError ??= thrown;
    failure = shownError(thrown, request.signal.reason);
    throw thrown;
  } finally {
    if (sink.firstError !== undefined) refuse(request, called.name, sink.firstError);
    const error = sink.firstError ?? failure;
    recording?.end({
      ...(ended !== undefined && 'status' in ended && typeof ended.status === 'number' ? { status: ended.status } : {}),
      ...(error === undefined ? {} : { error }),
      milliseconds: performance.now() - began,
    });
  }
}

/** Records refused T-SQL for operators; refusals of declared procedures are recorded by themselves. */
function refuse({ host, server }: RequestContext, name: string, { number, message, procedure }: SqlError): void {
  const { spid: session, login } = host.identity;
  if (procedure !== '' && server.tap.isNoted({ session, number, name: procedure })) return;
  server.tap.refuse({ at: server.clock.now(), session, login, database: host.database, name, number, message });
}

/** Reports a refused call that no declaration accounts for, such as one of an unknown procedure. */
export function refusedRequest(
  request: RequestContext,
  { name, args }: { readonly name: string; readonly args: readonly Argument[] },
  error: SqlError,
): void {
  const { host, server } = request;
  if (error.number === noSuchProcedure) {
    const recording = server.tap.listener?.begin(begunCall(host.identity, host.database, { name, args }));
    recording?.end({ error, milliseconds: 0 });
  }
  refuse(request, name, error);
}
