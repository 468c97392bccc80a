import type { Db } from '../../engine/db.ts';
import type { Call, Preparing } from '../call.ts';
import type { Access, AnyProcedure, Outcome } from '../declare.ts';
import type { Param } from '../param.ts';
import { columnsOf } from '../relations/columns-of.ts';
import { type Argument, bind } from './bind.ts';
import type { Executed, OutputValue } from './executed.ts';
import { noDb } from './no-db.ts';
import { type AnyReply, buffered } from './reply.ts';
import { sendReply } from './send-reply.ts';
import type { Sink } from './sink.ts';
import type { TransactionSource } from './transaction-source.ts';

/** Creates what a procedure is told about its call. */
export interface Caller {
  preparing(): Preparing;
  call(db: Db): Call;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * Runs a procedure: binds the arguments, prepares, calls the handler in its transaction, sends the rows to the sink.
 */
export async function execute(
  procedure: AnyProcedure,
  args: readonly Argument[],
  source: TransactionSource,
  caller: Caller,
  sink: Sink,
): Promise<Executed> {
  const { input, wanted } = bind(procedure, args);
  const prepared: unknown = procedure.prepare && (await procedure.prepare(caller.preparing(), input));
  const handle = (db: Db): AnyReply | Promise<AnyReply> => procedure.handle(caller.call(db), input, prepared);
  const inMemory = async (db: Db): Promise<AnyReply> => buffered(await handle(db));
  const access: Access = procedure.accessFor?.(input) ?? procedure.access;
  let reply: AnyReply | undefined;
  let rowCount: number | undefined;
  if (access === 'none') reply = await handle(noDb);
  else if (access === 'read') {
    const begun = sendsPieces(procedure) ? undefined : source.readBriefly?.(inMemory, { like: procedure });
    reply = (begun && (await begun))?.value;
  } else {
    reply = procedure.known && (await answerKnown(procedure.known, input, source, caller));
    // Rows are buffered before the commit and sent after it: what a client sees is on disk, and a retry sends nothing
    // twice.
    const options = { like: procedure, serial: access === 'serial', byRows: procedure.byRows ?? false };
    reply ??= await source.write(inMemory, options);
  }
  if (reply === undefined) {
    const streamed = async (db: Db): Promise<AnyReply> => {
      const answered = await handle(db);
      const sent = sendReply(procedure, answered, sink);
      rowCount = sent instanceof Promise ? await sent : sent;
      return answered;
    };
    reply = await source.read(streamed, { like: procedure });
  } else {
    const sent = sendReply(procedure, reply, sink);
    rowCount = sent instanceof Promise ? await sent : sent;
  }
  const ended = reply;
  const { code }: Outcome = procedure.outcomes[ended.outcome];
  return {
    status: typeof code === 'number' ? code : (ended.returns ?? 0),
    outputs: wanted.map(({ param, argument }) => outputValue(procedure, ended, input, param, argument)),
    ...(rowCount === undefined ? {} : { rowCount }),
  };
}

/** The reply of a call that has nothing new to write. */
async function answerKnown(
  known: NonNullable<AnyProcedure['known']>,
  input: Input,
  source: TransactionSource,
  caller: Caller,
): Promise<AnyReply | undefined> {
  const look = async (db: Db): Promise<AnyReply | undefined> => {
    const reply = await known(caller.call(db), input);
    return reply && buffered(reply);
  };
  const begun = source.readBriefly?.(look, { like: known });
  const brief = begun && (await begun);
  return brief === undefined ? source.read(look, { like: known }) : brief.value;
}

const inPieces = new WeakMap<AnyProcedure, boolean>();

/** True for a procedure that sends values in pieces, which are read while they are sent. */
function sendsPieces(procedure: AnyProcedure): boolean {
  let known = inPieces.get(procedure);
  if (known === undefined) {
    const outcomes: readonly Outcome[] = Object.values(procedure.outcomes);
    const sets = outcomes.flatMap(({ sets: of = {} }) => Object.values(of));
    known = sets.some((set) => columnsOf(set).some(({ type }) => type.pieces !== undefined));
    inPieces.set(procedure, known);
  }
  return known;
}

/** An output parameter that the handler did not set keeps the value it came in with, as in T-SQL. */
function outputValue(
  procedure: AnyProcedure,
  reply: AnyReply,
  input: Input,
  name: string,
  argument: number,
): OutputValue {
  const { type }: Param = procedure.params[name];
  const value = reply.output && name in reply.output ? reply.output[name] : input[name];
  return { name: `@${name}`, type, value: value === null || value === undefined ? null : type.check(value), argument };
}
