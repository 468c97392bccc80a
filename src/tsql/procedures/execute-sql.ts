import { sqlError } from '../../base/messages/sql-error.ts';
import { type ObjectName, parseObjectName } from '../../procedure/object-name.ts';
import type { OutputValue } from '../../procedure/run/executed.ts';
import { readParameters } from '../../syntax/parser/parse.ts';
import { int } from '../../tds/types/index.ts';
import { describePrepared, preparedAt, preparedFrom, readText, runPrepared } from './run-prepared.ts';
import { done, handleOf, numberOf, type SpecialCall, type SpecialProcedure, textOf } from './special-call.ts';

/** The bit of sp_prepare's options that asks for the columns of the result. */
const returnMetadata = 1;

/** sp_executesql @stmt, @params, values…. */
export const executeSql: SpecialProcedure = async (call) => {
  const text = textOf(call.args[0], '@statement');
  const declaration = call.args.length > 1 ? textOf(call.args[1], '@parameters') : '';
  const params = await readParameters(declaration, call.caller.turn);
  return runPrepared(await readText(call.caller, text, params, false), call, 2);
};

/** sp_prepare @handle OUTPUT, @params, @stmt, @options. */
export const prepare: SpecialProcedure = async (call) => {
  const [, params, stmt, options] = call.args;
  const prepared = await preparedFrom(call, params, stmt);
  if ((numberOf(options, 0) & returnMetadata) !== 0) await describePrepared(prepared, call);
  return { status: 0, outputs: handleOutput(call, call.caller.host.state.prepare(prepared)) };
};

/** sp_prepexec @handle OUTPUT, @params, @stmt, values…. */
export const prepareAndExecute: SpecialProcedure = async (call) => {
  const [, params, stmt] = call.args;
  const prepared = await preparedFrom(call, params, stmt);
  const handle = call.caller.host.state.prepare(prepared);
  const executed = await runPrepared(prepared, call, 3);
  return { status: executed.status, outputs: [...handleOutput(call, handle), ...executed.outputs] };
};

/** sp_prepexecrpc @handle OUTPUT, @procedure, values…. */
export const prepareAndCall: SpecialProcedure = async (call) => {
  const text = textOf(call.args[1], '@rpccall');
  const procedure = parseObjectName(text);
  if (procedure === undefined) throw sqlError(2812, text);
  const executed = await callPrepared(procedure, call, 2);
  const handle = call.caller.host.state.prepare(procedure);
  return { status: executed.status, outputs: [...handleOutput(call, handle), ...executed.outputs] };
};

/** Calls a procedure with the arguments that begin at `first`. */
async function callPrepared(procedure: ObjectName, { args, caller, sink, interpreter }: SpecialCall, first: number) {
  const { status, outputs } = await interpreter.call(procedure, args.slice(first), caller, sink);
  return { status, outputs: outputs.map((output) => ({ ...output, argument: output.argument + first })) };
}

/** sp_execute @handle, values…. */
export const executePrepared: SpecialProcedure = (call) => {
  const prepared = preparedAt(call, handleOf(call.args[0]));
  return 'text' in prepared ? runPrepared(prepared, call, 1) : callPrepared(prepared, call, 1);
};

/** sp_unprepare and sp_cursorunprepare @handle. */
export const unprepare: SpecialProcedure = async ({ args, caller }) => {
  const handle = handleOf(args[0]);
  if (!caller.host.state.unprepare(handle)) throw sqlError(8179, handle);
  return done;
};

const handleOutput = ({ args }: SpecialCall, handle: number): OutputValue[] => [
  { name: args[0]?.name || '@handle', type: int, value: handle, argument: 0 },
];
