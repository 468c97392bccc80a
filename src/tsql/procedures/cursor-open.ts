import { formatMessage, sqlError } from '../../base/messages/sql-error.ts';
import type { OutputValue } from '../../procedure/run/executed.ts';
import { firstSelect } from '../../syntax/ast/first-select.ts';
import type { Statement } from '../../syntax/ast/statement.ts';
import { readParameters } from '../../syntax/parser/parse.ts';
import { ApiCursor } from '../cursors/api-cursor.ts';
import {
  type ApiOptions,
  apiOptions,
  concurrencyBits,
  scrollBits,
  settledOptions,
  wantsPositions,
} from '../cursors/api-options.ts';
import { Cursor } from '../cursors/cursor.ts';
import { awaitTables, fetchRows } from '../cursors/fetch.ts';
import { type OpenedRows, RowsetSink } from '../cursors/rowset-sink.ts';
import type { PreparedText } from '../session-state.ts';
import { sendSet } from '../statements/completion.ts';
import { Failure } from '../statements/failure.ts';
import { describePrepared, preparedAt, preparedFrom, readText, runPrepared } from './run-prepared.ts';
import { handleOf, intOutput, numberOf, type SpecialCall, type SpecialProcedure, textOf } from './special-call.ts';

/** The positions of arguments of a procedure that opens a cursor: ccopt and rowcount follow scrollopt. */
interface Places {
  readonly procedure: string;
  readonly cursor: number;
  readonly scroll: number;
  readonly values: number;
}

/** The default number of rows of AUTO_FETCH. */
const defaultBlock = 20;
/** The bit of sp_cursorprepare's options that asks for the columns of the result. */
const returnMetadata = 1;

/** sp_cursoropen cursor OUTPUT, stmt, scrollopt OUTPUT, ccopt OUTPUT, rowcount OUTPUT, params, values…. */
export const openCursor: SpecialProcedure = async (call) => {
  const places = { procedure: 'sp_cursoropen', cursor: 0, scroll: 2 };
  const options = optionsAt(call, places);
  const { turn } = call.caller;
  const params = options.parameterized ? await readParameters(textOf(call.args[5], 'paramdef'), turn) : [];
  const prepared = await readText(call.caller, textOf(call.args[1], 'stmt'), params, true);
  return open(prepared, call, options, { ...places, values: options.parameterized ? 6 : 5 });
};

/** sp_cursorprepare handle OUTPUT, params, stmt, options, scrollopt OUTPUT, ccopt OUTPUT. */
export const prepareCursor: SpecialProcedure = async (call) => {
  const [, params, stmt, wanted] = call.args;
  const prepared = await preparedFrom(call, params, stmt, true);
  const options = optionsAt(call, { procedure: 'sp_cursorprepare', scroll: 4 });
  if ((numberOf(wanted, returnMetadata) & returnMetadata) !== 0) await describePrepared(prepared, call);
  const handle = call.caller.host.state.prepare(prepared);
  const settled = settledOptions(options, await allowsPositions(prepared, call, options));
  return { status: 0, outputs: [...intOutput(call.args, 0, handle), ...optionOutputs(call, settled, 4)] };
};

const executePlaces: Places = { procedure: 'sp_cursorexecute', cursor: 1, scroll: 2, values: 5 };

/** sp_cursorexecute handle, cursor OUTPUT, scrollopt OUTPUT, ccopt OUTPUT, rowcount OUTPUT, values…. */
export const executeCursor: SpecialProcedure = (call) => {
  const handle = handleOf(call.args[0]);
  const prepared = preparedAt(call, handle);
  if (!('text' in prepared)) throw sqlError(8179, handle);
  return open(prepared, call, optionsAt(call, executePlaces), executePlaces);
};

const prepexecPlaces: Places = { procedure: 'sp_cursorprepexec', cursor: 1, scroll: 4, values: 7 };

/** sp_cursorprepexec handle OUTPUT, cursor OUTPUT, params, stmt, scrollopt, ccopt, rowcount OUTPUT, values…. */
export const prepexecCursor: SpecialProcedure = async (call) => {
  const [, , params, stmt] = call.args;
  const prepared = await preparedFrom(call, params, stmt, true);
  const options = optionsAt(call, prepexecPlaces);
  const handle = call.caller.host.state.prepare(prepared);
  const opened = await open(prepared, call, options, prepexecPlaces);
  return { status: opened.status, outputs: [...intOutput(call.args, 0, handle), ...opened.outputs] };
};

const optionsAt = ({ args }: SpecialCall, { scroll, procedure }: Pick<Places, 'scroll' | 'procedure'>): ApiOptions =>
  apiOptions(
    numberOf(args[scroll], scrollBits.keyset),
    numberOf(args[scroll + 1], concurrencyBits.optimistic),
    procedure,
  );

const optionOutputs = ({ args }: SpecialCall, { type, concurrency }: ApiOptions, scroll: number): OutputValue[] => [
  ...intOutput(args, scroll, scrollBits[type]),
  ...intOutput(args, scroll + 1, concurrencyBits[concurrency]),
];

async function open(prepared: PreparedText, call: SpecialCall, options: ApiOptions, places: Places) {
  // A client that also waits for output values, with ALLOW_DIRECT, would not get them in any response to a fetch.
  const waitsForOutputs = options.allowDirect && prepared.params.some(({ output }) => output);
  if (!yieldsRows(prepared) || waitsForOutputs) return runDirectly(prepared, call, options, places);
  const { sets, outputs } = await setsOf(prepared, call, options, places.values);
  const [set] = sets;
  if (set === undefined || sets.length > 1) return sendDirectly(sets, outputs, call, options, places);
  const { caller } = call;
  const { cursors } = caller.host.state;
  const settled = settledOptions(options, set.keyset !== undefined);
  const cursor = new ApiCursor(settled, set);
  if (set.keyset !== undefined && cursor.traits.locks) await awaitTables(set.keyset, 'update', caller);
  const handle = cursors.add(cursor);
  const wanted = numberOf(call.args[places.scroll + 2], 0) || defaultBlock;
  const rows = options.autoFetch ? await fetchRows(cursor, 'next', wanted, 0, caller) : [];
  await cursor.send(rows, call.sink);
  // A client that receives fewer rows than requested knows that there are no more.
  const ended = options.autoFetch && options.autoClose && rows.length < wanted;
  if (ended) cursors.closeHandle(handle);
  return {
    status: 0,
    outputs: [
      ...intOutput(call.args, places.cursor, ended ? 0 : handle),
      ...optionOutputs(call, settled, places.scroll),
      ...intOutput(call.args, places.scroll + 2, options.autoFetch ? rows.length : cursor.qualifyingRows),
      ...outputs,
    ],
  };
}

/** True for a batch of one SELECT or one EXECUTE, apart from statements that only prepare it. */
function yieldsRows({ statements }: PreparedText): boolean {
  const rest = statements.filter(({ kind }) => kind !== 'declare' && kind !== 'assign' && kind !== 'setOption');
  const [only] = rest;
  return rest.length === 1 && only !== undefined && (isQuery(only) || only.kind.startsWith('execute'));
}

function isQuery(statement: Statement): boolean {
  if (statement.kind !== 'select') return false;
  const { body, isBrowsed } = statement.query;
  if (isBrowsed || firstSelect(body)?.into !== undefined) return false;
  return body.kind !== 'select' || body.items.every(({ kind }) => kind !== 'assign');
}

/** ALLOW_DIRECT runs a statement directly if no cursor can be opened on it. */
async function runDirectly(prepared: PreparedText, call: SpecialCall, options: ApiOptions, places: Places) {
  if (!options.allowDirect) throw sqlError(16937);
  tellDirect(call);
  const { status, outputs } = await runPrepared(prepared, call, places.values);
  return { status, outputs: [...noCursor(call, places), ...outputs] };
}

/** A procedure that sent no rows, or several result sets: ALLOW_DIRECT passes them through. */
async function sendDirectly(
  sets: readonly OpenedRows[],
  outputs: readonly OutputValue[],
  call: SpecialCall,
  options: ApiOptions,
  places: Places,
) {
  if (!options.allowDirect) throw sqlError(sets.length > 1 ? 16938 : 16937);
  tellDirect(call);
  for (const { rowset, keyset } of sets) {
    const all = new Cursor({ scroll: false, type: 'static', isReadOnly: true, locks: false });
    all.open(rowset, keyset);
    const rows = await fetchRows(all, 'next', rowset.count, 0, call.caller);
    await sendSet(
      call.sink,
      rowset.columns,
      rows.map((row) => row ?? []),
    );
  }
  return { status: 0, outputs: [...noCursor(call, places), ...outputs] };
}

const noCursor = ({ args }: SpecialCall, { cursor, scroll }: Places): OutputValue[] =>
  [cursor, scroll, scroll + 1, scroll + 2].flatMap((at) => intOutput(args, at, 0));

/** Whether the cursor of a statement can reread its rows; one that cannot even be described cannot. */
async function allowsPositions(prepared: PreparedText, call: SpecialCall, options: ApiOptions): Promise<boolean> {
  if (!wantsPositions(options) || !yieldsRows(prepared)) return false;
  const sink = sinkOf(call, options);
  try {
    await describePrepared(prepared, { ...call, sink });
  } catch (error) {
    if (error instanceof Failure && error.isTold) return false;
    throw error;
  }
  return sink.opened[0]?.keyset !== undefined;
}

function sinkOf({ caller, sink }: SpecialCall, options: ApiOptions): RowsetSink {
  const { cursors } = caller.host.state;
  return new RowsetSink(sink, (used) => cursors.collector(used), wantsPositions(options));
}

/** The result sets of a statement, and the final values of its parameters; its errors are the procedure's own. */
async function setsOf(
  prepared: PreparedText,
  call: SpecialCall,
  options: ApiOptions,
  values: number,
): Promise<{ readonly sets: readonly OpenedRows[]; readonly outputs: readonly OutputValue[] }> {
  const sink = sinkOf(call, options);
  const { outputs } = await runPrepared(prepared, { ...call, sink }, values).catch((error: unknown) => {
    throw error instanceof Failure ? error.told(false) : error;
  });
  if (sink.failure !== undefined) throw sink.failure;
  return { sets: sink.opened, outputs };
}

const tellDirect = ({ sink }: SpecialCall): void =>
  sink.info({ number: 16954, severity: 10, state: 1, text: formatMessage(16954, []) });
