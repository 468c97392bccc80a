import type { Condition } from '../../syntax/ast/expression.ts';
import type { FromItem, Select } from '../../syntax/ast/query.ts';
import type { Env, Test } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import type { Prepared } from '../evaluate/prepared.ts';
import type { ColumnSource } from '../statement-sink.ts';
import type { MemoryTable } from '../storage/memory-table.ts';
import type { Source } from './joins/from.ts';
import type { PlanColumn } from './plan.ts';
import { compileTests } from './row-tests.ts';
import type { SelectScope } from './scope.ts';

/** A table in the FROM of a cursor. */
export interface PositionedTable {
  readonly table: MemoryTable;
  /** The parts of its name, as FROM has it. */
  readonly name: readonly string[];
}

/**
 * A query each of whose rows consists of one row of every table in its FROM: a cursor rereads those rows and changes
 * them.
 */
export interface Positioned {
  readonly tables: readonly PositionedTable[];
  /** True if ORDER BY determines the position of a row among the others. */
  readonly isOrdered: boolean;
  /** Where its columns come from. */
  readonly sources: readonly ColumnSource[];
  /** What the query shows of rows of its tables. */
  readonly show: Prepared<(env: Env) => unknown[]>;
  /** Whether the query still includes those rows: if all of these hold. */
  readonly tests: readonly Prepared<Test>[];
}

/** What the compilation of a SELECT has determined. */
interface Parts {
  readonly select: Select;
  readonly sources: readonly Source[];
  readonly columns: readonly PlanColumn[];
  readonly project: Prepared<(env: Env) => unknown[]>;
  readonly where: readonly Prepared<Test>[];
  readonly isOrdered: boolean;
}

/**
 * A SELECT without groups or window functions as a cursor sees it; undefined if not all of FROM are tables in memory.
 */
export function positionedOf(
  { select, sources, columns, project, where, isOrdered }: Parts,
  scope: SelectScope,
  context: Context,
): Positioned | undefined {
  const tables = sources.flatMap(({ table, tableName: name }): PositionedTable[] =>
    table === undefined || name === undefined ? [] : [{ table, name }],
  );
  if (tables.length === 0 || tables.length < sources.length) return undefined;
  return {
    tables,
    isOrdered,
    sources: columns.map(({ source = {} }) => source),
    show: project,
    tests: [...compileTests(select.from.flatMap(innerConditions), scope, context), ...where],
  };
}

/** The conditions that every row has passed; an outer join lets rows through that have not. */
function innerConditions(item: FromItem): Condition[] {
  if (item.kind !== 'join' || (item.type !== 'inner' && item.type !== 'cross')) return [];
  const own = item.on === undefined ? [] : [item.on];
  return [...innerConditions(item.left), ...innerConditions(item.right), ...own];
}
