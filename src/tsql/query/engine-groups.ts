import type { EngineAggregate, Output, Reference } from '../../procedure/engine-query.ts';
import type { Expression, FunctionCall } from '../../syntax/ast/expression.ts';
import { familyOf } from '../../tds/convert/families.ts';
import { bigint, int } from '../../tds/types/index.ts';
import { wholeIn } from '../../values/arithmetic.ts';
import { type EngineColumn, formFor, isComparable, referenceTo } from './engine-column.ts';

/** What the engine groups by, and what it answers with. */
export interface EngineKeys {
  readonly groupBy: readonly Reference[];
  readonly outputs: readonly Output[];
}

/** Groups and aggregates that the engine makes. */
export interface EngineGroups extends EngineKeys {
  /** What was grouped by and the aggregates, of a row of the engine's answer. */
  values(row: readonly unknown[]): unknown[];
}

/** Takes an aggregate out of a row of the engine's answer. */
type Reader = (row: readonly unknown[]) => unknown;

/** What an answer is put together from. */
interface Asking {
  ask(output: Output): number;
  /** Hears of a NULL that an aggregate left out. */
  nullEliminated(): void;
}

/** GROUP BY and aggregates as the engine makes them; undefined where it would make them otherwise than SQL Server. */
export function engineGroups(
  groupBy: readonly Expression[],
  calls: readonly FunctionCall[],
  columnOf: (expression: Expression) => EngineColumn | undefined,
  nullEliminated: () => void,
): EngineGroups | undefined {
  const outputs: Output[] = [];
  const asking: Asking = { ask: (output) => outputs.push(output) - 1, nullEliminated };
  const keys = keysOf(groupBy.map(columnOf));
  if (keys === undefined) return undefined;
  const readers = keys.outputs.map((output) => at(asking.ask(output)));
  for (const call of calls) {
    const reader = aggregateReader(call, columnOf, asking);
    if (reader === undefined) return undefined;
    readers.push(reader);
  }
  return { groupBy: keys.groupBy, outputs, values: (row) => readers.map((reader) => reader(row)) };
}

/** What tells groups apart by columns, and what stands for each; undefined where the engine tells other groups apart. */
export function keysOf(columns: readonly (EngineColumn | undefined)[]): EngineKeys | undefined {
  const keys = columns.flatMap((column) => {
    const form = column && formFor(column, column.type, '=');
    return column === undefined || form === undefined ? [] : { column, key: referenceTo(column, form) };
  });
  if (keys.length < columns.length) return undefined;
  return {
    groupBy: keys.map(({ key }) => key),
    // Of equal texts any may stand for the group.
    outputs: keys.map(({ column, key }) =>
      key.form === 'value' ? { kind: 'column', of: key } : aggregateOf('min', column),
    ),
  };
}

const at =
  (place: number): Reader =>
  (row) =>
    row[place] ?? null;

function aggregateReader(
  { name, star, args, distinct }: FunctionCall,
  columnOf: (expression: Expression) => EngineColumn | undefined,
  asking: Asking,
): Reader | undefined {
  const big = name === 'COUNT_BIG';
  if (star) return counted(asking.ask({ kind: 'countAll' }), big);
  const [first, ...more] = args;
  const column = first === undefined || more.length > 0 ? undefined : columnOf(first);
  if (column === undefined) return undefined;
  const warned = (reader: Reader): Reader => (column.isNullable ? noting(column, reader, asking) : reader);
  const ask = (aggregate: EngineAggregate): number => asking.ask(aggregateOf(aggregate, column));
  if (name === 'COUNT' || big) {
    if (distinct && formFor(column, column.type, '=') === undefined) return undefined;
    return warned(counted(ask(distinct ? 'countDistinct' : 'count'), big));
  }
  if (name === 'MIN' || name === 'MAX') {
    return isComparable(column) && column.type.name !== 'bit'
      ? warned(at(ask(name === 'MIN' ? 'min' : 'max')))
      : undefined;
  }
  if ((name !== 'SUM' && name !== 'AVG') || distinct || familyOf(column.type.name) !== 'integer') return undefined;
  return warned(summed(name, column, ask));
}

function aggregateOf(name: EngineAggregate, column: EngineColumn): Output {
  const form = name === 'countDistinct' ? (formFor(column, column.type, '=') ?? 'value') : 'value';
  return { kind: 'aggregate', name, of: referenceTo(column, form) };
}

const counted =
  (place: number, big: boolean): Reader =>
  (row) =>
    big ? BigInt(row[place] as bigint) : Number(row[place]);

/** A sum comes in two halves, and an average is what is left of it after a division of whole numbers. */
function summed(name: 'SUM' | 'AVG', { type }: EngineColumn, ask: (aggregate: EngineAggregate) => number): Reader {
  const result = type.name === 'bigint' ? bigint : int;
  const [low, high, count] = [ask('sumLow'), ask('sumHigh'), ask('count')];
  return (row) => {
    // Halves of sums and counts are whole numbers.
    const parts = [row[low], row[high], row[count]] as (bigint | null)[];
    const [small, large, many] = parts;
    if (small === null || small === undefined || large === null || large === undefined || !many) return null;
    const total = large * 4294967296n + small;
    if (name === 'SUM') return wholeIn(total, result);
    wholeIn(total, bigint); // the sum itself has to be one
    return wholeIn(total / many, result);
  };
}

/** Tells of NULLs that were left out: where there are more rows than values. */
function noting(column: EngineColumn, reader: Reader, { ask, nullEliminated }: Asking): Reader {
  const values = ask(aggregateOf('count', column));
  const all = ask({ kind: 'countAll' });
  return (row) => {
    if (Number(row[all]) > Number(row[values])) nullEliminated();
    return reader(row);
  };
}
