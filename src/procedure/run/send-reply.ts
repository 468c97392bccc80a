import { nextTurn } from '../../base/threads/rota.ts';
import type { DirectRows } from '../../engine/db.ts';
import type { AnyProcedure, Columns, Outcome } from '../declare.ts';
import { columnsOf } from '../relations/columns-of.ts';
import type { AnyReply, Rows } from './reply.ts';
import type { Column, Sink } from './sink.ts';

/** A result that is a promise only if the client is slow or there are many rows: most calls send few. */
type Sent<T> = T | Promise<T>;

/** Sends the result sets of a reply to a sink; the number of rows of the last one. */
export function sendReply(procedure: AnyProcedure, reply: AnyReply, sink: Sink): Sent<number | undefined> {
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
