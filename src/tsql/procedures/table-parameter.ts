import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { PreparedParam } from '../../syntax/ast/statement.ts';
import { nameInMessage } from '../../tds/convert/families.ts';
import { isTableType, type TableType } from '../../tds/types/table-type.ts';
import { isPassedTable, type PassedTable } from '../../tds/types/table-value.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import type { Host } from '../host.ts';
import { Inserter } from '../statements/inserter.ts';
import { MemoryTable } from '../storage/memory-table.ts';
import { newVariable, shownType, typeNamed, typeOf } from '../storage/table-types.ts';
import { toParameter } from './special-call.ts';

/** A parameter of a table type. */
type TableParam = PreparedParam & { readonly type: TableType };

export const isTableParam = (param: PreparedParam): param is TableParam => isTableType(param.type);

/** The error of an argument whose table type does not exist: 2715, whatever its parameter is. */
export function unknownType(args: readonly Argument[], host: Host): SqlError | undefined {
  for (const [at, { type }] of args.entries()) {
    if (!isTableType(type) || type.typeName.name === '' || typeNamed(type.typeName, host) !== undefined) continue;
    return sqlError(2715, at + 1, shownType(type.typeName));
  }
  return undefined;
}

/**
 * Declares a parameter with the value of its argument. A table of the caller is lent, since nobody may change it; what
 * a client passes becomes a table of the frame; without an argument it has no rows.
 */
export function declareParameter(
  param: PreparedParam,
  ordinal: number,
  arg: Argument | undefined,
  frame: Frame,
): Promise<void> | undefined {
  if (isTableParam(param)) return declareTable(param, ordinal, arg, frame);
  const { name, type } = param;
  const value = arg === undefined ? null : toParameter(arg, type, frame.turn);
  if (value instanceof Promise) return value.then((made) => void frame.declare(name, type, made));
  frame.declare(name, type, value);
  return undefined;
}

async function declareTable(
  param: TableParam,
  ordinal: number,
  arg: Argument | undefined,
  frame: Frame,
): Promise<void> {
  const type = typeOf(param.type.typeName, ordinal, frame.host);
  const isGiven = arg !== undefined && !arg.byDefault;
  const clash = (given: string) => sqlError(206, given, type.name);
  if (isGiven && !isTableType(arg.type)) throw clash(nameInMessage(arg.type.name));
  if (isGiven && arg.value instanceof MemoryTable) {
    if (arg.value.definition !== type.definition) throw clash('table');
    return frame.lendTable(param.name, arg.value);
  }
  if (isGiven && isTableType(arg.type) && arg.type.typeName.name !== '') {
    const named = typeNamed(arg.type.typeName, frame.host);
    if (named !== type) throw clash(shownType(arg.type.typeName));
  }
  const table = newVariable(param.name, type, frame.host);
  frame.declareTable(param.name, table);
  if (isGiven && isPassedTable(arg.value)) await fill(table, arg.value, frame);
  frame.lendTable(param.name, table);
}

/**
 * Puts the rows that a client passed into a table: 500 for another number of columns, 1077 for values of an identity
 * column.
 */
async function fill(table: MemoryTable, passed: PassedTable, frame: Frame): Promise<void> {
  const { width } = passed;
  if (width === 0) return;
  if (width !== table.columns.length) throw sqlError(500, width, table.columns.length);
  const { columns, rows } = passed.read();
  const given = columns.map(({ place, type }) => ({ type, column: table.columns[place] }));
  if (given.some(({ column }) => column?.identity !== undefined)) throw sqlError(1077);
  const context = await StatementContext.of(frame, table.definition);
  const names = given.flatMap(({ column }) => (column === undefined ? [] : [column.name]));
  const inserter = new Inserter(table, names, context, { explicit: false });
  for (const row of rows) {
    const slow = inserter.add(given.map(({ type }, at) => ({ type, value: row[at] ?? null })));
    if (slow !== undefined) await slow;
    if (frame.turn.isOver) await frame.turn.giveWay();
  }
}
