import { isDeepStrictEqual } from 'node:util';
import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { inTurns } from '../../base/threads/steps.ts';
import { quoted } from '../../procedure/describe.ts';
import { type ObjectName, parseObjectName } from '../../procedure/object-name.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { Insert, Statement } from '../../syntax/ast/statement.ts';
import { parseSteps } from '../../syntax/parser/parse.ts';
import type { ApiCursor } from '../cursors/api-cursor.ts';
import { openRows, shownRows } from '../cursors/fetch.ts';
import { lostKey, type RowKey } from '../cursors/keyset.ts';
import { Frame } from '../frame.ts';
import type { PositionedTable } from '../query/positioned.ts';
import { runDelete, runUpdate } from '../statements/change.ts';
import { runInsert } from '../statements/insert.ts';
import type { TableRow } from '../storage/memory-table.ts';
import { cursorOf } from './cursor-fetch.ts';
import { done, numberOf, type SpecialCall, type SpecialProcedure } from './special-call.ts';

/** The bits of optype. */
const operations = {
  update: 0x1,
  delete: 0x2,
  insert: 0x4,
  refresh: 0x8,
  lock: 0x10,
  setPosition: 0x20,
  absolute: 0x40,
} as const;
const all = 0x7f;

/** sp_cursor cursor, optype, rownum, table, values…: changes fetched rows, or moves among them. */
export const useCursor: SpecialProcedure = async (call) => {
  const { host } = call.caller;
  try {
    return await use(call);
  } finally {
    // Locks of a change are released if there is no transaction to hold them.
    if (host.transactions.count === 0) host.tempDb.unlock(host.identity.spid);
  }
};

async function use(call: SpecialCall) {
  const { cursor } = cursorOf(call, 'sp_cursor');
  const type = numberOf(call.args[1], 0);
  if ((type & all) === 0) throw sqlError(16902, 'sp_cursor', 'optype');
  const does = (operation: number): boolean => (type & operation) !== 0;
  if ((does(operations.update) || does(operations.delete) || does(operations.insert)) && cursor.traits.isReadOnly)
    throw sqlError(16929);
  if (does(operations.insert)) {
    await insertRow(call, cursor);
    return done;
  }
  const rows = chosenRows(call, cursor);
  if (does(operations.setPosition) && rows.length === 1) cursor.position = rows[0] ?? 1;
  for (const row of rows) {
    if (does(operations.update)) await updateRow(call, cursor, row);
    if (does(operations.delete)) await deleteRow(call, cursor, row);
  }
  if (does(operations.refresh)) {
    const shown = await shownRows(cursor, call.caller);
    await cursor.send(
      rows.map((row) => shown[row - 1]),
      call.sink,
    );
  }
  return done;
}

/** The rows of the block that rownum refers to, from 1: all of them for 0. */
function chosenRows({ args }: SpecialCall, cursor: ApiCursor): number[] {
  const { block } = openRows(cursor);
  if (block.length === 0) throw sqlError(16931);
  const row = numberOf(args[2], 0);
  if (row < 0 || row > block.length) throw sqlError(16930);
  return row === 0 ? block.map((_, at) => at + 1) : [row];
}

/** The table to change: the given one, or the first of FROM. */
function tableOf({ args }: SpecialCall, { keyset }: ApiCursor): PositionedTable {
  const tables = keyset?.positioned.tables ?? [];
  const name = typeof args[3]?.value === 'string' ? args[3].value : '';
  const last = fold(parseObjectName(name)?.name ?? '');
  const found = name === '' ? tables[0] : tables.find((each) => fold(each.name.at(-1) ?? '') === last);
  if (found === undefined) throw sqlError(16933);
  return found;
}

const targetOf = ({ name: parts }: PositionedTable): ObjectName => {
  const [name = '', schema, database] = [...parts].reverse();
  return { name, ...(schema ? { schema } : {}), ...(database ? { database } : {}) };
};

interface Given {
  readonly column: string;
  readonly value: Expression;
}

/** The values after the table argument, by column: its name in the cursor, or else in the table. */
function givenValues({ args }: SpecialCall, { columns, sources }: ApiCursor, { table }: PositionedTable): Given[] {
  const place = (name: string): string => {
    const at = columns.findIndex((column) => fold(column.name) === fold(name));
    const source = sources[at];
    const own = table.columns.find((column) => fold(column.name) === fold(name));
    if (source?.column !== undefined && isOf(source.table?.name, table.name)) return source.column;
    if (own === undefined) throw sqlError(207, name);
    return own.name;
  };
  return args.slice(4).map((arg, at): Given => {
    const name = arg.name.replace(/^@/, '') || columns[at]?.name || '';
    return { column: place(name), value: literal(arg) };
  });
}

const isOf = (name: readonly string[] | undefined, table: string): boolean => fold(name?.at(-1) ?? '') === fold(table);

const literal = ({ type, value }: Argument): Expression => ({ kind: 'literal', type, value });

/** The frame of a change: its messages go where the procedure's response goes. */
const frameOf = ({ caller, sink }: SpecialCall): Frame => new Frame(caller.host, sink, caller.signal, caller);

/** The common part of an UPDATE and a DELETE of a row of the block. */
const changeAt = (call: SpecialCall, table: PositionedTable, row: number) => {
  const current = { handle: cursorOf(call, 'sp_cursor').handle, row };
  return { line: 1, with: [], target: targetOf(table), from: [], current };
};

async function updateRow(call: SpecialCall, cursor: ApiCursor, row: number): Promise<void> {
  const table = tableOf(call, cursor);
  const written = await statementIn(call, 'update', `update ${nameOf(table)} `);
  const assignments = written?.kind === 'update' ? written.assignments : givenValues(call, cursor, table);
  if (assignments.length === 0) throw sqlError(16902, 'sp_cursor', 'value');
  const target = cursor.rowToChange(table.table, row);
  const before = keyValues(table, target);
  await runUpdate({ kind: 'update', ...changeAt(call, table, row), assignments }, frameOf(call));
  if (!isDeepStrictEqual(before, keyValues(table, target))) moveToEnd(cursor, row, target);
}

/** The values of the primary key; without one, the row itself, which is never distinguished. */
const keyValues = ({ table }: PositionedTable, { values }: TableRow): readonly unknown[] =>
  table.primaryKey.map((at) => values[at]);

/**
 * To a keyset cursor a row with another key is another row: the old one no longer exists, and the new one follows all
 * others.
 */
function moveToEnd(cursor: ApiCursor, place: number, row: TableRow): void {
  const rowset = openRows(cursor);
  const key = rowset.block[place - 1];
  if (cursor.traits.type !== 'keyset' || key === undefined) return;
  rowset.replace(place, lostKey(key as RowKey)); // a cursor with a keyset has keys for rows
  const found = cursor.keyset?.keyOf(row);
  if (found !== undefined) rowset.append(found);
}

async function deleteRow(call: SpecialCall, cursor: ApiCursor, row: number): Promise<void> {
  await runDelete({ kind: 'delete', ...changeAt(call, tableOf(call, cursor), row) }, frameOf(call));
}

async function insertRow(call: SpecialCall, cursor: ApiCursor): Promise<void> {
  const table = tableOf(call, cursor);
  const written = await statementIn(call, 'insert', `insert ${nameOf(table)} `);
  const insert = written?.kind === 'insert' ? written : insertOf(givenValues(call, cursor, table), table);
  const before = table.table.rowCount;
  await runInsert(insert, frameOf(call), call.interpreter);
  if (cursor.traits.type !== 'keyset') return;
  // A row inserted through a keyset cursor follows its other rows.
  for (const row of table.table.rows().slice(before)) {
    const key = cursor.keyset?.keyOf(row);
    if (key !== undefined) openRows(cursor).append(key);
  }
}

const nameOf = (table: PositionedTable): string =>
  table.name.map((part) => (part === '' ? '' : quoted(part))).join('.');

/**
 * The one value without a name that is T-SQL: a whole statement, or what follows its table (`SET a = 1`, `VALUES (1)`).
 * Undefined if values are given by column.
 */
async function statementIn(
  { args, caller }: SpecialCall,
  kind: 'insert' | 'update',
  start: string,
): Promise<Statement | undefined> {
  const [arg, ...more] = args.slice(4);
  if (arg === undefined || more.length > 0 || arg.name !== '' || typeof arg.value !== 'string') return undefined;
  const text = arg.value.trim();
  if (!/^(insert|update|set|values|default\s+values)\b/i.test(text)) return undefined;
  const whole = /^(insert|update)\b/i.test(text) ? text : `${start}${text}`;
  const { quotedIdentifier } = caller.host.options;
  const { statements } = await inTurns(parseSteps(whole, { quotedIdentifier }), caller.turn);
  const [statement, ...rest] = statements;
  if (statement?.kind !== kind || rest.length > 0) throw sqlError(16902, 'sp_cursor', 'value');
  return statement;
}

function insertOf(given: readonly Given[], table: PositionedTable): Insert {
  return {
    kind: 'insert',
    line: 1,
    with: [],
    target: targetOf(table),
    columns: given.map(({ column }) => column),
    source: { with: [], orderBy: [], body: { kind: 'values', rows: [given.map(({ value }) => value)] } },
  };
}
