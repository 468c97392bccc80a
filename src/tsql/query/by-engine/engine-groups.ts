import type { EngineAggregate, Output, Reference } from '../../../procedure/relations/engine-query.ts';
import type { Expression, FunctionCall } from '../../../syntax/ast/expression.ts';
import { familyOf } from '../../../tds/convert/families.ts';
import { bigint, int } from '../../../tds/types/index.ts';
import { wholeIn } from '../../../values/arithmetic.ts';
import { type EngineColumn, formFor, isComparable, referenceTo } from './engine-column.ts';

/** What the engine groups by, and what it returns. */
export interface EngineKeys {
  readonly groupBy: readonly Reference[];
  readonly outputs: readonly Output[];
}

/** Groups and aggregates computed by the engine. */
export interface EngineGroups extends EngineKeys {
  /** Group keys and aggregates from a row of the engine's result. */
  values(row: readonly unknown[]): unknown[];
}

/** Reads an aggregate from a row of the engine's result. */
type Reader = (row: readonly unknown[]) => unknown;

/** The parts of which a result is composed. */
interface Asking {
  ask(output: Output): number;
  /** Called when an aggregate skips a NULL. */
  nullEliminated(): void;
}

/** GROUP BY and aggregates computed by the engine; undefined if it would compute them differently from SQL Server. */
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

/** The group keys for columns, and the value that represents each; undefined if the engine would form other groups. */
export function keysOf(columns: readonly (EngineColumn | undefined)[]): EngineKeys | undefined {
  const keys = columns.flatMap((column) => {
    const form = column && formFor(column, column.type, '=');
    return column === undefined || form === undefined ? [] : { column, key: referenceTo(column, form) };
  });
  if (keys.length < columns.length) return undefined;
  return {
    groupBy: keys.map(({ key }) => key),
    // Any of equal texts may represent the group.
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

/** A sum is returned in two halves, and an average as the sum and count for an integer division. */
function summed(name: 'SUM' | 'AVG', { type }: EngineColumn, ask: (aggregate: EngineAggregate) => number): Reader {
  const result = type.name === 'bigint' ? bigint : int;
  const [low, high, count] = [ask('sumLow'), ask('sumHigh'), ask('count')];
  return (row) => {
    // Halves of sums and counts are integers.
    const parts = [row[low], row[high], row[count]] as (bigint | null)[];
    const [small, large, many] = parts;
    if (small === null || small === undefined || large === null || large === undefined || !many) return null;
    const total = large * 4294967296n + small;
    if (name === 'SUM') return wholeIn(total, result);
    wholeIn(total, bigint); // the sum itself has to be one
    return wholeIn(total / many, result);
  };
}

/** Reports NULLs that were skipped: if there are more rows than values. */
function noting(column: EngineColumn, reader: Reader, { ask, nullEliminated }: Asking): Reader {
  const values = ask(aggregateOf('count', column));
  const all = ask({ kind: 'countAll' });
  return (row) => {
    if (Number(row[all]) > Number(row[values])) nullEliminated();
    return reader(row);
  };
}
