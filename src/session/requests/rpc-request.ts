import { byName } from '../../base/by-name.ts';
import { release } from '../../base/memory/release.ts';
import { SqlError } from '../../base/messages/sql-error.ts';
import { lowered } from '../../base/text/lowered.ts';
import { inTurns } from '../../base/threads/steps.ts';
import { Turn } from '../../base/threads/turn.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { OutputValue } from '../../procedure/run/executed.ts';
import { Cancelled, toSqlError } from '../../procedure/run/fault.ts';
import { convert } from '../../tds/convert/convert.ts';
import {
  decodeLongRpc,
  decodeRpc,
  procedureIds,
  procedureNames,
  type RpcCall,
  type RpcParam,
  type RpcRequest,
} from '../../tds/message/rpc.ts';
import { type CallEnd, callProcedure } from '../../tsql/call-procedure.ts';
import type { SessionOptions } from '../../tsql/options.ts';
import { undoUnderXactAbort } from '../transactions/xact-abort.ts';
import type { RequestContext } from './request-context.ts';
import { refusedRequest, tappedRequest } from './tapped-request.ts';
import { WireSink } from './wire-sink.ts';

/** Requests larger than this, in bytes, are decoded in steps. */
const longRequest = 64 * 1024;

/** Runs an RPC request: one or more calls, each answered as if sent alone; an error that ends a batch ends them all. */
export async function runRpcRequest(payload: Buffer, request: RequestContext): Promise<void> {
  const { headers, next } =
    payload.length < longRequest ? readAtOnce(payload, request) : await readLong(payload, request);
  if (headers.activity !== undefined) request.host.log.activity = headers.activity.id;
  let mayKeep = false;
  for (let call = await next(); call !== undefined; call = await next()) {
    if (call.noExec) {
      request.response.done('proc', { command: 'execute', failed: true });
      continue;
    }
    const end = await runCall(call, request);
    if (end.endsRequest) return;
    mayKeep ||= end.mayKeep === true;
    const resting = request.response.rest();
    if (resting) await resting;
  }
  if (!mayKeep) release(payload);
}

/** The calls of a request, one after another. */
interface Calls {
  readonly headers: RpcRequest['headers'];
  next(): RpcCall | undefined | Promise<RpcCall | undefined>;
}

function readAtOnce(payload: Buffer, { response }: RequestContext): Calls {
  const { headers, calls } = decodeRpc(payload, response.dialect);
  let at = 0;
  return { headers, next: () => calls[at++] };
}

async function readLong(payload: Buffer, { response, signal }: RequestContext): Promise<Calls> {
  const { headers, next } = await inTurns(decodeLongRpc(payload, response.dialect), new Turn(signal));
  return { headers, next: () => inTurns(next(), new Turn(signal)) };
}

const procedureNotFound = 2812;
const nothingDone: CallEnd = { status: 0, outputs: [] };

/** Runs one call; a failed call leaves nothing behind and reports why. */
async function runCall(call: RpcCall, request: RequestContext): Promise<Pick<CallEnd, 'endsRequest' | 'mayKeep'>> {
  const { host, response } = request;
  const name =
    typeof call.procedure === 'number' ? (procedureNames.get(call.procedure) ?? `${call.procedure}`) : call.procedure;
  const args = call.params.map((param) => argument(param, host.options));
  // Declared procedures report themselves to those who watch live calls; those that run T-SQL are reported here.
  const runsTsql = Object.hasOwn(procedureIds, lowered(name));
  request.running(name, runsTsql ? textIn(name, args) : undefined);
  try {
    const end = await (runsTsql
      ? tappedRequest(request, { name, args, rpc: true }, (sink) => execute(name, args, sink, request))
      : execute(name, args, new WireSink(response, host.options, true), request));
    response.returnStatus(end.status);
    for (const output of end.outputs) {
      const sending = response.returnValue(asSent(output, call.params[output.argument]));
      if (sending) await sending;
    }
    // An error after which the procedure continued was reported in the DONEINPROC of its statement.
    response.done('proc', { command: 'execute', failed: end.aborted });
    return end;
  } catch (thrown) {
    if (!runsTsql && thrown instanceof SqlError) refusedRequest(request, { name, args }, thrown);
    return await failed(thrown, name, request);
  }
}

/** The position of the T-SQL text among the arguments of the procedures that run T-SQL. */
const textAt: Readonly<Record<string, number>> = byName({
  sp_executesql: 0,
  sp_cursoropen: 1,
  sp_prepare: 2,
  sp_prepexec: 2,
  sp_cursorprepare: 2,
  sp_cursorprepexec: 3,
});

/** The T-SQL text of a call, if it has any. */
function textIn(name: string, args: readonly Argument[]): string | undefined {
  const value = args[textAt[lowered(name)] ?? -1]?.value;
  return typeof value === 'string' ? value : undefined;
}

async function failed(
  thrown: unknown,
  name: string,
  { host, response, signal }: RequestContext,
): Promise<Pick<CallEnd, 'endsRequest' | 'mayKeep'>> {
  if (thrown instanceof Cancelled || signal.aborted) throw thrown;
  const error = toSqlError(thrown, host.log.lines(), name);
  if (error.severity >= 20) throw error;
  response.failure(error);
  await undoUnderXactAbort(host);
  // Only a procedure that exists has something to return.
  if (error.number !== procedureNotFound) response.returnStatus(error.returnStatus);
  response.done('proc', { command: 'execute', failed: true });
  return { endsRequest: host.options.xactAbort, mayKeep: true };
}

/**
 * An output value as SQL Server returns it: under the name exactly as the client wrote it, which SqlClient looks for
 * (none if passed by position), and in the type that the client sent, or its declared type if the value does not fit.
 */
function asSent(own: OutputValue, sent: RpcParam | undefined): OutputValue {
  const output = { ...own, name: sent?.name ?? own.name };
  // Some drivers send a NULL without saying how long the value may be.
  const saysNothing = sent?.type.name === output.type.name && sent.value === null && sent.type.maxLength <= 2;
  if (sent === undefined || sent.type.declaration === output.type.declaration || saysNothing) return output;
  try {
    return { ...output, type: sent.type, value: convert(output.value, output.type, sent.type, { implicit: false }) };
  } catch (error) {
    if (error instanceof SqlError) return output;
    throw error;
  }
}

function execute(name: string, args: Argument[], sink: WireSink, request: RequestContext): Promise<CallEnd> {
  const { host, signal } = request;
  // Connection pools call this between two uses of a connection if they do not set the reset bit in the packet header.
  if (lowered(parseObjectName(name)?.name ?? '') === 'sp_reset_connection') {
    return host.reset(false).then(() => nothingDone);
  }
  return callProcedure(host, name, args, sink, signal);
}

const argument = (
  { name, type, value, byRef, useDefault }: RpcParam,
  { dateFormat: dateOrder }: SessionOptions,
): Argument => ({
  name,
  type,
  value,
  output: byRef,
  byDefault: useDefault,
  dateOrder,
});
