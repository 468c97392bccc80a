import type { Expression } from '../../../syntax/ast/expression.ts';
import type { Query } from '../../../syntax/ast/query.ts';
import { int } from '../../../tds/types/index.ts';
import type { Compiled } from '../../evaluate/compiled.ts';
import type { Context } from '../../evaluate/context.ts';
import type { Prepared } from '../../evaluate/prepared.ts';
import type { PlanColumn } from '../plan.ts';
import type { SelectScope } from '../scope.ts';
import type { SelectList } from '../select-list.ts';
import type { Source } from './from.ts';

/**
 * A query of FROM whose rows also carry those of the tables in memory that it consists of, if the statement changes
 * tables through such queries.
 */
export const withCarriedRows = (query: Query, { carriesRows }: Context): Query =>
  carriesRows && query.as === undefined ? { ...query, carriesRows } : query;

/** True for a column that the statement itself may name. */
export const isShown = ({ carries }: PlanColumn): boolean => carries === undefined;

/** A row that is carried: of a source that is a table, or in a column of a source that is a query. */
interface Carried {
  readonly source: number;
  readonly slot: number | undefined;
  readonly table: NonNullable<PlanColumn['carries']>;
}

/** A select list with the rows of its sources behind its columns, which say where in those rows they are from. */
export function carrying(list: SelectList, scope: SelectScope, sources: readonly Source[]): SelectList {
  const carried = sources.flatMap(({ index, table, columns }): Carried[] =>
    table === undefined
      ? columns.flatMap(({ carries }, slot) => (carries === undefined ? [] : [{ source: index, slot, table: carries }]))
      : [{ source: index, slot: undefined, table }],
  );
  const baseOf = (expression: Expression | undefined): PlanColumn['base'] => {
    const place = expression?.kind === 'column' ? scope.find(expression.parts) : undefined;
    if (place === undefined) return undefined;
    const { source, column } = place;
    const from = sources[source];
    const base = from?.table === undefined ? from?.columns[column]?.base : { row: undefined, column };
    const at = carried.findIndex((each) => each.source === source && each.slot === base?.row);
    return base === undefined || at < 0 ? undefined : { row: list.columns.length + at, column: base.column };
  };
  const columns = list.columns.map((column, at): PlanColumn => {
    const base = baseOf(list.expressions[at]);
    return base === undefined ? column : { ...column, base };
  });
  return {
    expressions: list.expressions,
    values: [...list.values, ...carried.map(rowIn)],
    columns: [...columns, ...carried.map(({ table }) => ({ name: '', type: int, nullable: true, carries: table }))],
  };
}

/** The values of the row; null where an outer join found none. */
function rowIn({ source, slot }: Carried): Prepared<Compiled> {
  const evaluate: Compiled['evaluate'] = ({ rows }) => {
    const row = rows[source];
    return (slot === undefined ? row : row?.[slot]) ?? null;
  };
  return { compiled: { type: int, nullable: true, evaluate }, pending: [] };
}
