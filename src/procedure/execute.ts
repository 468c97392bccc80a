import { nextTurn } from '../base/rota.ts';
import type { Shape } from '../base/stored.ts';
import type { Db, DirectRows, ReadOptions, WriteOptions } from '../engine/db.ts';
import type { Sql } from '../engine/sql.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { type Argument, bind } from './bind.ts';
import type { Call, Preparing } from './call.ts';
import type { Access, AnyProcedure, Columns, Outcome } from './declare.ts';
import { noDb } from './no-db.ts';
import type { Param } from './param.ts';
import type { Column, Sink } from './sink.ts';

/** Provides the transaction of a call: its own, or the client's. */
export interface TransactionSource {
  /** Runs work on a snapshot. */
  read<T>(work: (db: Db) => Promise<T>, options: Pick<ReadOptions, 'like' | 'work'>): Promise<T>;
  /** The rows of one cheap query with few rows; undefined if they must be read in a client's transaction. */
  few?(shape: Shape, query: Sql): Promise<readonly (readonly unknown[])[]> | undefined;
  /** Runs work on a shared snapshot if its kind is usually short; undefined if it did not. */
  readBriefly?<T>(
    work: (db: Db) => Promise<T>,
    options: Pick<ReadOptions, 'like'>,
  ): Promise<{ readonly value: T } | undefined> | undefined;
  /** Runs work as one transaction, or as a savepoint of the client's. */
  write<T>(work: (db: Db) => Promise<T>, options: Pick<WriteOptions, 'like' | 'serial' | 'byRows'>): Promise<T>;
}

/** Creates what a procedure is told about its call. */
export interface Caller {
  preparing(): Preparing;
  call(db: Db): Call;
}

/** An output value on its way back to the caller. */
export interface OutputValue {
  readonly name: string;
  readonly type: AnyType;
  readonly value: unknown;
  /** The position of the argument in the call, counted from 0. */
  readonly argument: number;
}

/** How a call ended. */
export interface Executed {
  readonly status: number;
  readonly outputs: readonly OutputValue[];
  /** The number of rows of the last result set; absent if there was none. */
  readonly rowCount?: number;
}

type Rows = Iterable<Record<string, unknown>> | AsyncIterable<Record<string, unknown>>;
interface AnyReply {
  readonly outcome: string;
  readonly returns?: number;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly sets?: Readonly<Record<string, Rows>>;
}

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
  const access: Access = procedure.accessFor?.(input) ?? procedure.access;
  let reply: AnyReply;
  let rowCount: number | undefined;
  const sent = (answered: AnyReply): AnyReply | Promise<AnyReply> => {
    const count = send(procedure, answered, sink);
    if (count instanceof Promise) return count.then((rows) => withCount(answered, rows));
    return withCount(answered, count);
  };
  const withCount = (answered: AnyReply, count: number | undefined): AnyReply => {
    rowCount = count;
    return answered;
  };
  const answer = async (db: Db) => {
    const answered = handle(db);
    const reply = sent(answered instanceof Promise ? await answered : answered);
    return reply instanceof Promise ? await reply : reply;
  };
  if (access === 'none') {
    reply = await answer(noDb);
  } else if (access === 'read') {
    const begun = sendsPieces(procedure)
      ? undefined
      : source.readBriefly?.(async (db) => gather(await handle(db)), { like: procedure });
    const brief = begun && (await begun);
    if (brief === undefined) reply = await source.read(answer, { like: procedure });
    else {
      const { value } = brief;
      reply = await sent(value);
    }
  } else {
    const known = procedure.known && (await answerKnown(procedure.known, input, source, caller));
    // Rows are buffered before the commit and sent after it: what a client sees is on disk, and a retry sends nothing
    // twice.
    const options = { like: procedure, serial: access === 'serial', byRows: procedure.byRows ?? false };
    const written = known ?? (await source.write(async (db) => gather(await handle(db)), options));
    const sending = sent(written);
    reply = sending instanceof Promise ? await sending : sending;
  }
  const outcome: Outcome = procedure.outcomes[reply.outcome];
  return {
    status: typeof outcome.code === 'number' ? outcome.code : (reply.returns ?? 0),
    outputs: wanted.map(({ param, argument }) => outputValue(procedure, reply, input, param, argument)),
    ...(rowCount === undefined ? {} : { rowCount }),
  };
}

/** The reply of a call that has nothing new to write. */
async function answerKnown(
  known: NonNullable<AnyProcedure['known']>,
  input: Readonly<Record<string, unknown>>,
  source: TransactionSource,
  caller: Caller,
): Promise<AnyReply | undefined> {
  const look = async (db: Db): Promise<AnyReply | undefined> => {
    const reply = await known(caller.call(db), input);
    return reply && gather(reply);
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
  input: Readonly<Record<string, unknown>>,
  name: string,
  argument: number,
): OutputValue {
  const { type }: Param = procedure.params[name];
  const value = reply.output && name in reply.output ? reply.output[name] : input[name];
  return { name: `@${name}`, type, value: value === null || value === undefined ? null : type.check(value), argument };
}

function gather(reply: AnyReply): AnyReply | Promise<AnyReply> {
  return reply.sets === undefined ? reply : gatherSets(reply, reply.sets);
}

async function gatherSets(reply: AnyReply, given: Readonly<Record<string, Rows>>): Promise<AnyReply> {
  const sets: Record<string, Rows> = {};
  for (const [name, rows] of Object.entries(given))
    sets[name] = Array.isArray(rows) ? rows : await Array.fromAsync(rows);
  return { ...reply, sets };
}

/** A result that is a promise only if the client is slow or there are many rows: most calls send few. */
type Sent<T> = T | Promise<T>;

/** Sends the result sets of a reply; the number of rows of the last one. */
function send(procedure: AnyProcedure, reply: AnyReply, sink: Sink): Sent<number | undefined> {
  const outcome: Outcome | undefined = procedure.outcomes[reply.outcome];
  if (!outcome) throw new Error(`${procedure.name} ended in an undeclared outcome: ${reply.outcome}`);
  return outcome.sets && sendSets(procedure, outcome.sets, reply, sink);
}

function sendSets(
  procedure: AnyProcedure,
  sets: Readonly<Record<string, Columns>>,
  reply: AnyReply,
  sink: Sink,
): Sent<number | undefined> {
  let only: string | undefined;
  for (const name in sets) {
    if (only !== undefined) return sendSeveral(procedure, sets, reply, sink);
    only = name;
  }
  return only === undefined ? undefined : sendSet(procedure, sets, only, reply, sink);
}

async function sendSeveral(
  procedure: AnyProcedure,
  sets: Readonly<Record<string, Columns>>,
  reply: AnyReply,
  sink: Sink,
): Promise<number | undefined> {
  let count: number | undefined;
  for (const name in sets) count = await sendSet(procedure, sets, name, reply, sink);
  return count;
}

function sendSet(
  procedure: AnyProcedure,
  sets: Readonly<Record<string, Columns>>,
  name: string,
  reply: AnyReply,
  sink: Sink,
): Sent<number> {
  const declared = sets[name] as Columns; // it is one of its own keys
  const rows = reply.sets?.[name];
  if (!rows) throw new Error(`${procedure.name} left out the result set ${name}`);
  const columns = columnsOf(declared);
  sink.columns(columns);
  const silent = procedure.noCount ?? !procedure.isSystem;
  const end = (count: number): number => {
    sink.endRows(count, silent);
    return count;
  };
  const sent = isDirect(rows, declared) ? sendDirectly(rows, sink) : sendByName(columns, rows, sink);
  return sent instanceof Promise ? sent.then(end) : end(sent);
}

/** True for rows that the engine read with exactly the columns that are sent. */
const isDirect = (rows: Rows | (Rows & DirectRows), declared: Columns): rows is Rows & DirectRows =>
  'shape' in rows && rows.shape === declared;

/** The number of rows after which others get a turn. */
const rowsATurn = 256;

function sendDirectly(rows: DirectRows, sink: Sink): Sent<number> {
  let goesOn = false;
  try {
    let count = 0;
    for (let values = rows.takeValues(); values !== undefined; values = rows.takeValues()) {
      const slow = sink.row(values);
      goesOn = ++count === rowsATurn || slow instanceof Promise;
      if (goesOn) return sendRest(rows, sink, count, slow);
    }
    return count;
  } finally {
    if (!goesOn) rows.stop();
  }
}

/** Sends the remaining rows; the client may not have taken the last one yet. */
async function sendRest(rows: DirectRows, sink: Sink, before: number, last: void | Promise<void>): Promise<number> {
  let count = before;
  try {
    if (last) await last;
    if (count % rowsATurn === 0) await nextTurn();
    for (let values = rows.takeValues(); values !== undefined; values = rows.takeValues()) {
      const slow = sink.row(values);
      if (slow) await slow;
      if (++count % rowsATurn === 0) await nextTurn();
    }
    return count;
  } finally {
    rows.stop();
  }
}

async function sendByName(columns: readonly Column[], rows: Rows, sink: Sink): Promise<number> {
  const names = columns.map((column) => column.name);
  let count = 0;
  const push = (row: Record<string, unknown>) => {
    count++;
    return sink.row(names.map((name) => row[name]));
  };
  if (Symbol.iterator in rows) {
    for (const row of rows) {
      const slow = push(row);
      if (slow) await slow;
    }
  } else {
    for await (const row of rows) {
      const slow = push(row);
      if (slow) await slow;
    }
  }
  return count;
}

const columnLists = new WeakMap<Columns, readonly Column[]>();

/** The columns of a declared result set; always the same array, so that its encoding can be cached. */
export function columnsOf(declared: Columns): readonly Column[] {
  let columns = columnLists.get(declared);
  if (!columns) {
    columns = Object.entries(declared).map(([name, column]) =>
      'orNull' in column ? { name, type: column.orNull, nullable: true } : { name, type: column, nullable: false },
    );
    columnLists.set(declared, columns);
  }
  return columns;
}
