import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { Executed } from '../../procedure/run/executed.ts';
import { indexOfParams, matchArguments } from '../../procedure/run/match-arguments.ts';
import type { PreparedParam } from '../../syntax/ast/statement.ts';
import { recentTrees } from '../../syntax/parser/kept-trees.ts';
import { readParameters, variablesOf } from '../../syntax/parser/parse.ts';
import { Frame } from '../frame.ts';
import { underFmtOnly } from '../options.ts';
import type { PreparedText } from '../session-state.ts';
import { Failure } from '../statements/failure.ts';
import { outputsOf, type SpecialCall, textOf } from './special-call.ts';
import { declareParameter, isTableParam } from './table-parameter.ts';

/** Parses a statement with parameters that a client wants to prepare. */
export async function preparedFrom(
  { caller }: SpecialCall,
  params: Argument | undefined,
  stmt: Argument | undefined,
  isForCursor = false,
): Promise<PreparedText> {
  const text = textOf(stmt, '@stmt');
  return readText(caller, text, await readParameters(textOf(params, '@params'), caller.turn), isForCursor);
}

/** Parses a text with parameters; a syntax error is an error of the call and terminates nothing else. */
export async function readText(
  { host, turn }: Frame,
  text: string,
  params: readonly PreparedParam[],
  isForCursor: boolean,
): Promise<PreparedText> {
  const { quotedIdentifier } = host.options;
  try {
    const statements = await recentTrees.read(text, { ...variablesOf(params), quotedIdentifier, isForCursor }, turn);
    return { text, params, statements };
  } catch (error) {
    throw error instanceof SqlError ? Failure.of(error).outOfScope() : error;
  }
}

/** What a client prepared under a handle: 8179 if there is nothing. */
export function preparedAt({ caller }: SpecialCall, handle: number): PreparedText | ObjectName {
  const prepared = caller.host.state.prepared.get(handle);
  if (prepared === undefined) throw sqlError(8179, handle);
  return prepared;
}

/** Describes the columns of a prepared SELECT without running it, as FMTONLY does. */
export async function describePrepared(prepared: PreparedText, call: SpecialCall): Promise<void> {
  await underFmtOnly(call.caller.host.options, () => run(prepared, call, () => undefined));
}

/** Runs a text with parameters; `first` is the index of the first value among the arguments. */
export async function runPrepared(prepared: PreparedText, call: SpecialCall, first: number): Promise<Executed> {
  const values = call.args.slice(first);
  const { params } = prepared;
  if (values.length > params.length) throw sqlError(8144, '');
  const given = matchArguments('', indexOfParams(params), values);
  const { frame, status } = await run(prepared, call, (param, at) => {
    const arg = values[given[at] ?? -1];
    if ((arg === undefined || arg.byDefault) && !isTableParam(param)) throw missing(prepared, param.name);
    return arg;
  });
  const outputs = outputsOf(params, given, values, frame);
  return { status, outputs: outputs.map((output) => ({ ...output, argument: first + output.argument })) };
}

const missing = ({ text, params }: PreparedText, name: string) =>
  sqlError(
    8178,
    `(${params.map((param) => `${param.name} ${param.type.declaration}`).join(',')})${text}`.slice(0, 256),
    name,
  );

async function run(
  prepared: PreparedText,
  { caller, sink, interpreter }: SpecialCall,
  given: (param: PreparedParam, at: number) => Argument | undefined,
): Promise<{ frame: Frame; status: number }> {
  const frame = new Frame(caller.host, sink, caller.signal, caller);
  for (const [at, param] of prepared.params.entries()) {
    const declared = declareParameter(param, at + 1, given(param, at), frame);
    if (declared !== undefined) await declared;
  }
  const completion = await frame.within(() => interpreter.statements(prepared.statements, frame));
  return { frame, status: completion.kind === 'return' ? (completion.status ?? 0) : 0 };
}
