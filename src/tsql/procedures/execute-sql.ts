import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { Argument } from '../../procedure/bind.ts';
import type { Executed, OutputValue } from '../../procedure/execute.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf } from '../../tds/convert/families.ts';
import { int } from '../../tds/types/index.ts';
import { Frame } from '../frame.ts';
import { parse, parseParameters } from '../parser/parse.ts';
import type { Prepared } from '../session-state.ts';
import type { StatementSink } from '../statement-sink.ts';
import type { Interpreter } from '../statements/completion.ts';
import { toParameter } from './bind-arguments.ts';

/** What a special procedure is called with. */
export interface SpecialCall {
  readonly args: readonly Argument[];
  readonly caller: Frame;
  readonly sink: StatementSink;
  readonly interpreter: Interpreter;
}
export type SpecialProcedure = (call: SpecialCall) => Promise<Executed>;

/** The text that an argument must hold: 214 when it holds none. */
function textOf(arg: Argument | undefined, parameter: string): string {
  if (arg === undefined || (arg.value !== null && familyOf(arg.type.name) !== 'text'))
    throw sqlError(214, parameter, 'ntext/nchar/nvarchar');
  return arg.value === null ? '' : String(arg.value);
}

function handleOf(arg: Argument | undefined): number {
  if (arg === undefined || arg.value === null) throw sqlError(214, '@handle', 'int');
  return Number(convert(arg.value, arg.type, int));
}

const done: Executed = { status: 0, outputs: [] };

/** sp_executesql @stmt, @params, values…. */
const executeSql: SpecialProcedure = (call) => {
  const text = textOf(call.args[0], '@statement');
  const declaration = call.args.length > 1 ? textOf(call.args[1], '@parameters') : '';
  return runPrepared({ text, params: parseParameters(declaration) }, call, 2);
};

/** sp_prepare @handle OUTPUT, @params, @stmt, @options. */
const prepare: SpecialProcedure = async (call) => {
  const prepared = preparedFrom(call);
  const options = call.args[3];
  if (options !== undefined && Number(options.value) === 1) await describe(prepared, call);
  return { status: 0, outputs: handleOutput(call.args, keep(prepared, call)) };
};

/** sp_prepexec @handle OUTPUT, @params, @stmt, values…. */
const prepareAndExecute: SpecialProcedure = async (call) => {
  const prepared = preparedFrom(call);
  const handle = keep(prepared, call);
  const executed = await runPrepared(prepared, call, 3);
  return { status: executed.status, outputs: [...handleOutput(call.args, handle), ...executed.outputs] };
};

/** sp_execute @handle, values…. */
const executePrepared: SpecialProcedure = (call) => {
  const handle = handleOf(call.args[0]);
  const prepared = call.caller.host.state.prepared.get(handle);
  if (prepared === undefined) throw sqlError(8179, handle);
  return runPrepared(prepared, call, 1);
};

/** sp_unprepare @handle. */
const unprepare: SpecialProcedure = async ({ args, caller }) => {
  const handle = handleOf(args[0]);
  if (!caller.host.state.prepared.delete(handle)) throw sqlError(8179, handle);
  return done;
};

/** Server cursors are not offered; a driver that asks for one falls back, or shows this error. */
const refuseCursor: SpecialProcedure = async () => {
  throw sqlError(16_938);
};

/** sp_set_session_context @key, @value, @read_only. */
const setSessionContext: SpecialProcedure = async ({ args, caller }) => {
  const named = (name: string, at: number) =>
    args.find((arg) => fold(arg.name) === name) ?? (args[at]?.name === '' ? args[at] : undefined);
  const key = fold(textOf(named('@key', 0), '@key'));
  const value = named('@value', 1);
  const { context } = caller.host.state;
  if (context.get(key)?.readOnly) throw sqlError(15_664, key);
  if (value === undefined || value.value === null) context.delete(key);
  else
    context.set(key, {
      value: { type: value.type, value: value.value },
      readOnly: Number(named('@read_only', 2)?.value ?? 0) === 1,
    });
  return done;
};

/** The procedures that are the interpreter itself, by folded name. */
export const specialProcedures: Readonly<Record<string, SpecialProcedure>> = {
  sp_executesql: executeSql,
  sp_prepare: prepare,
  sp_prepexec: prepareAndExecute,
  sp_execute: executePrepared,
  sp_unprepare: unprepare,
  sp_set_session_context: setSessionContext,
  sp_cursor: refuseCursor,
  sp_cursoropen: refuseCursor,
  sp_cursorprepare: refuseCursor,
  sp_cursorexecute: refuseCursor,
  sp_cursorprepexec: refuseCursor,
  sp_cursorunprepare: refuseCursor,
  sp_cursorfetch: refuseCursor,
  sp_cursoroption: refuseCursor,
  sp_cursorclose: refuseCursor,
};

function preparedFrom({ args, caller }: SpecialCall): Prepared {
  const params = parseParameters(textOf(args[1], '@params'));
  const text = textOf(args[2], '@stmt');
  parse(text, { variables: params.map(({ name }) => name), quotedIdentifier: caller.host.options.quotedIdentifier });
  return { text, params };
}

const keep = (prepared: Prepared, { caller }: SpecialCall): number => caller.host.state.prepare(prepared);

const handleOutput = (args: readonly Argument[], handle: number): OutputValue[] => [
  { name: args[0]?.name || '@handle', type: int, value: handle, argument: 0 },
];

/** Tells the columns of a prepared SELECT without running it, as FMTONLY does. */
async function describe(prepared: Prepared, call: SpecialCall): Promise<void> {
  const { options } = call.caller.host;
  const before = options.fmtOnly;
  options.fmtOnly = true;
  try {
    await run(prepared, call, () => null);
  } finally {
    options.fmtOnly = before;
  }
}

/** Runs a text with parameters; `first` is where their values begin among the arguments. */
async function runPrepared(prepared: Prepared, call: SpecialCall, first: number): Promise<Executed> {
  const values = call.args.slice(first);
  const { params } = prepared;
  const find = (at: number): number =>
    values.findIndex((arg, index) =>
      arg.name === '' ? index === at : fold(arg.name) === fold(params[at]?.name ?? ''),
    );
  refuseStrangers(prepared, values);
  const { frame, status } = await run(prepared, call, (at) => {
    const arg = values[find(at)];
    const param = params[at];
    if (param === undefined) return null;
    if (arg === undefined || arg.byDefault) throw missing(prepared, param.name);
    return toParameter(arg, param.type);
  });
  const outputs = params.flatMap((param, at): OutputValue[] => {
    const index = find(at);
    const arg = values[index];
    if (arg === undefined || !arg.output || !param.output) return [];
    return [{ name: param.name, type: param.type, value: frame.variable(param.name).value, argument: first + index }];
  });
  return { status, outputs };
}

function refuseStrangers({ params }: Prepared, values: readonly Argument[]): void {
  if (values.length > params.length) throw sqlError(8144, '');
  for (const { name } of values) {
    if (name !== '' && !params.some((param) => fold(param.name) === fold(name)))
      throw sqlError(8145, name, 'sp_executesql');
  }
}

const missing = ({ text, params }: Prepared, name: string) =>
  sqlError(
    8178,
    `(${params.map((param) => `${param.name} ${param.type.declaration}`).join(',')})${text}`.slice(0, 256),
    name,
  );

async function run(
  prepared: Prepared,
  { caller, sink, interpreter }: SpecialCall,
  valueAt: (at: number) => unknown,
): Promise<{ frame: Frame; status: number }> {
  const variables = prepared.params.map(({ name }) => name);
  const { statements } = parse(prepared.text, { variables, quotedIdentifier: caller.host.options.quotedIdentifier });
  const frame = new Frame(caller.host, sink, caller.signal, caller);
  prepared.params.forEach((param, at) => {
    frame.declare(param.name, param.type, valueAt(at));
  });
  const completion = await frame.within(() => interpreter.statements(statements, frame));
  return { frame, status: completion.kind === 'return' ? (completion.status ?? 0) : 0 };
}
