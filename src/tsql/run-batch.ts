import { SqlError, sqlError } from '../base/sql-error.ts';
import { inTurns, type Steps } from '../base/steps.ts';
import type { Argument } from '../procedure/bind.ts';
import type { Executed } from '../procedure/execute.ts';
import { parseObjectName } from '../procedure/object-name.ts';
import type { Statement } from '../syntax/ast/statement.ts';
import { recentTrees } from '../syntax/parser/kept-trees.ts';
import { quotedIdentifierSetBy } from '../syntax/parser/parse.ts';
import { Frame } from './frame.ts';
import type { Host } from './host.ts';
import { interpreter } from './interpreter.ts';
import { call, callDeclared } from './procedures/call.ts';
import { type Callable, resolve } from './procedures/resolve.ts';
import { unknownType } from './procedures/table-parameter.ts';
import type { StatementSink } from './statement-sink.ts';
import { endBatch } from './statements/checked.ts';
import { Failure } from './statements/failure.ts';

/** How a batch ended. */
interface BatchEnd {
  /** True when an error stopped the batch before its end. */
  readonly aborted: boolean;
}

/**
 * Runs a batch of T-SQL. Errors go to sink.error and the promise resolves; it rejects only when the signal aborts (with
 * its reason), with an error of severity 20 or more (the session ends), or on an internal fault.
 */
export async function runBatch(host: Host, text: string, sink: StatementSink, signal: AbortSignal): Promise<BatchEnd> {
  const frame = new Frame(host, sink, signal);
  const statements = await read(frame, text);
  if (statements === undefined) return { aborted: true };
  if (host.options.parseOnly && !(await inTurns(setsParseOnly(text), frame.turn))) return { aborted: false };
  let aborted: Failure | undefined;
  try {
    aborted = await untilAborted(async () => {
      const completion = await interpreter.statements(statements, frame);
      if (completion.kind === 'goto') throw told(sink, sqlError(133, completion.label));
      if (completion.kind === 'break') throw told(sink, sqlError(135));
      if (completion.kind === 'continue') throw told(sink, sqlError(136));
    });
  } finally {
    frame.drop();
  }
  if (await endBatch(frame)) sink.done({ command: 'other', failed: true });
  return { aborted: aborted !== undefined };
}

/** Characters that are looked at between two looks at the clock. */
const stretch = 100_000;

/** True for a text that may set PARSEONLY, which is heeded while nothing is run; a piece at a time, since it may be long. */
function* setsParseOnly(text: string): Steps<boolean> {
  const overlap = 'PARSEONLY'.length - 1;
  for (let at = 0; at < text.length; at += stretch) {
    if (/parseonly/i.test(text.slice(at, at + stretch + overlap))) return true;
    yield;
  }
  return false;
}

/** The batch as statements; undefined when it cannot be read, and the client has been told why. */
async function read({ host, sink, turn }: Frame, text: string): Promise<readonly Statement[] | undefined> {
  try {
    const statements = await recentTrees.read(text, { quotedIdentifier: host.options.quotedIdentifier }, turn);
    host.options.quotedIdentifier = quotedIdentifierSetBy(statements) ?? host.options.quotedIdentifier;
    return statements;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    told(sink, error);
    return undefined;
  }
}

function told(sink: StatementSink, error: SqlError): Failure {
  sink.error(error);
  sink.done({ command: 'other', failed: true });
  return new Failure(error, { ends: 'batch', isTold: true });
}

/** What aborted a run, if something did; what the client has not been told is for the caller to tell. */
async function untilAborted(run: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.isTold) return error;
    throw error.error;
  }
}

/** How a call by RPC ended; a declared procedure's end is that of its execution. */
export interface CallEnd extends Executed, Partial<BatchEnd> {
  /** True when the calls behind it in the same request are not to be run: an error ended more than the call. */
  readonly endsRequest?: boolean;
  /** True for what may keep bytes of its input, as T-SQL may in a temporary table. */
  readonly mayKeep?: boolean;
}

/**
 * Runs a procedure by name for an RPC. Names as T-SQL writes them (`db..[name];1`). What cannot even begin (an unknown name, an argument that does
 * not fit) rejects with its SqlError; errors of statements inside go to sink.error, and the status is the number of the
 * one that stopped the run, if one did.
 */
export function callProcedure(
  host: Host,
  name: string,
  args: readonly Argument[],
  sink: StatementSink,
  signal: AbortSignal,
): Promise<CallEnd> {
  const parsed = parseObjectName(name);
  if (parsed === undefined) return Promise.reject(sqlError(2812, name));
  const unknown = unknownType(args, host);
  if (unknown !== undefined) return Promise.reject(unknown);
  const found = resolve(parsed, host);
  // Calls of the protocols' own procedures come as fast as they can: they go their way without waiting here.
  if (!(found instanceof Promise) && found.kind === 'declared')
    return callDeclared(found.declared, args, host, sink, signal);
  return callFound(found, host, args, sink, signal);
}

async function callFound(
  found: Callable | Promise<Callable>,
  host: Host,
  args: readonly Argument[],
  sink: StatementSink,
  signal: AbortSignal,
): Promise<CallEnd> {
  const callable = await found;
  if (callable.kind === 'declared') return await callDeclared(callable.declared, args, host, sink, signal);
  const frame = new Frame(host, sink, signal);
  let executed: Executed = { status: 0, outputs: [] };
  const aborted = await untilAborted(async () => {
    executed = await call(callable, args, frame, sink, interpreter);
  });
  const undone = await endBatch(frame);
  const mayKeep = true;
  if (aborted === undefined) return { ...executed, aborted: undone, mayKeep };
  const endsRequest = aborted.ends !== 'scope';
  // sp_executesql and its kin return the number of the error.
  const status = callable.kind === 'made' ? aborted.error.returnStatus : aborted.error.number;
  return { status, outputs: [], aborted: true, endsRequest, mayKeep };
}
