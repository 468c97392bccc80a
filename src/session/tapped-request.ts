import type { SqlError } from '../base/sql-error.ts';
import type { Argument } from '../procedure/bind.ts';
import type { Recording } from '../procedure/call-tap.ts';
import type { Column } from '../procedure/sink.ts';
import type { SessionOptions } from '../tsql/options.ts';
import type { RequestContext } from './request-context.ts';
import type { Response } from './response.ts';
import { begunCall } from './tapped.ts';
import { WireSink } from './wire-sink.ts';

/** A sink that notes for those who look at calls what it sends. */
class TappedSink extends WireSink {
  readonly #recording: Recording;
  firstError: SqlError | undefined;

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

  override error(error: SqlError): void {
    this.firstError ??= error;
    super.error(error);
  }
}

/** Runs T-SQL, or one of the procedures that run it, and lets those who look at calls know. */
export async function tappedRequest<T extends object>(
  { host, response, server }: RequestContext,
  called: { readonly name: string; readonly args: readonly Argument[]; readonly rpc: boolean },
  run: (sink: WireSink) => Promise<T>,
): Promise<T> {
  const { listener } = server.tap;
  const recording = listener?.begin(begunCall(host.identity, host.database, called));
  if (recording === undefined) return run(new WireSink(response, host.options, called.rpc));
  const sink = new TappedSink(recording, response, host.options, called.rpc);
  const began = performance.now();
  let ended: T | undefined;
  try {
    ended = await run(sink);
    return ended;
  } finally {
    recording.end({
      ...(ended !== undefined && 'status' in ended && typeof ended.status === 'number' ? { status: ended.status } : {}),
      ...(sink.firstError === undefined ? {} : { error: sink.firstError }),
      milliseconds: performance.now() - began,
    });
  }
}
