import { sqlError } from '../../base/sql-error.ts';
import type { OutputValue } from '../../procedure/execute.ts';
import { int } from '../../tds/types/index.ts';
import { parseParameters } from '../parser/parse.ts';
import { describePrepared, preparedFrom, runPrepared } from './run-prepared.ts';
import { done, handleOf, numberOf, type SpecialCall, type SpecialProcedure, textOf } from './special-call.ts';

/** The bit of sp_prepare's options that asks for the columns of the result. */
const returnMetadata = 1;

/** sp_executesql @stmt, @params, values…. */
export const executeSql: SpecialProcedure = (call) => {
  const text = textOf(call.args[0], '@statement');
  const declaration = call.args.length > 1 ? textOf(call.args[1], '@parameters') : '';
  return runPrepared({ text, params: parseParameters(declaration) }, call, 2);
};

/** sp_prepare @handle OUTPUT, @params, @stmt, @options. */
export const prepare: SpecialProcedure = async (call) => {
  const [, params, stmt, options] = call.args;
  const prepared = preparedFrom(call, params, stmt);
  if ((numberOf(options, 0) & returnMetadata) !== 0) await describePrepared(prepared, call);
  return { status: 0, outputs: handleOutput(call, call.caller.host.state.prepare(prepared)) };
};

/** sp_prepexec @handle OUTPUT, @params, @stmt, values…. */
export const prepareAndExecute: SpecialProcedure = async (call) => {
  const [, params, stmt] = call.args;
  const prepared = preparedFrom(call, params, stmt);
  const handle = call.caller.host.state.prepare(prepared);
  const executed = await runPrepared(prepared, call, 3);
  return { status: executed.status, outputs: [...handleOutput(call, handle), ...executed.outputs] };
};

/** sp_execute @handle, values…. */
export const executePrepared: SpecialProcedure = (call) => {
  const handle = handleOf(call.args[0]);
  const prepared = call.caller.host.state.prepared.get(handle);
  if (prepared === undefined) throw sqlError(8179, handle);
  return runPrepared(prepared, call, 1);
};

/** sp_unprepare @handle. */
export const unprepare: SpecialProcedure = async ({ args, caller }) => {
  const handle = handleOf(args[0]);
  if (!caller.host.state.prepared.delete(handle)) throw sqlError(8179, handle);
  return done;
};

const handleOutput = ({ args }: SpecialCall, handle: number): OutputValue[] => [
  { name: args[0]?.name || '@handle', type: int, value: handle, argument: 0 },
];
