import { sqlError } from '../../../base/messages/sql-error.ts';
import { fold } from '../../../base/text/collation.ts';
import type { ObjectName } from '../../../procedure/object-name.ts';
import { columnsOf } from '../../../procedure/relations/columns-of.ts';
import { isStored } from '../../../procedure/relations/relation.ts';
import type { Condition } from '../../../syntax/ast/expression.ts';
import type { FromItem, JoinKind } from '../../../syntax/ast/query.ts';
import type { Env } from '../../evaluate/compiled.ts';
import type { Context, Scope } from '../../evaluate/context.ts';
import { answered } from '../../evaluate/prepared.ts';
import { meantBy } from '../../storage/made-view.ts';
import type { MemoryTable } from '../../storage/memory-table.ts';
import { tableNamed, viewNamed } from '../../storage/object-place.ts';
import { type Batches, drawnInBatches, inBatches, rested } from '../batches.ts';
import { storedRows } from '../by-engine/engine-tree.ts';
import { StoredSource } from '../by-engine/stored-source.ts';
import type { Plan, PlanColumn } from '../plan.ts';
import type { WorkedOut } from '../read.ts';
import { workedOutRows } from '../read.ts';
import { gathered, type Run } from '../run.ts';
import { type NamedSource, SelectScope } from '../scope.ts';
import type { TableCall } from '../tables/table-function.ts';
import { tableFunctions } from '../tables/table-functions.ts';
import { viewPlan } from '../view.ts';
import { isShown, withCarriedRows } from './carried-rows.ts';
import { indexesOf, joinsOf } from './from-tree.ts';
import { envOf } from './join-row.ts';

/** A table of FROM: its names, and the origin of its rows. */
export interface Source extends NamedSource {
  readonly index: number;
  /** The alias, or the table's name with all the parts that FROM gives it. */
  readonly label: string;
  rows(env: Env): Batches<readonly unknown[]>;
  readonly table?: MemoryTable;
  /** Present for a query. */
  readonly plan?: Plan;
  /** Present for a relation whose rows are in the database. */
  readonly stored?: StoredSource;
  /** The parts of the name of a table, as FROM has it. */
  readonly tableName?: readonly string[];
  /** True if its rows depend on the outer query. */
  readonly correlated: boolean;
}

/** FROM as a tree of joins over sources. */
export type FromNode =
  | { readonly kind: 'source'; readonly source: Source }
  | {
      readonly kind: 'join';
      readonly type: JoinKind;
      readonly left: FromNode;
      readonly right: FromNode;
      readonly on?: Condition;
    };

/** The key under which a relation was looked up. */
export const tableKey = ({ database = '', schema = '', name }: ObjectName): string =>
  fold(`${database}.${schema}.${name}`);

/** How many tables one FROM may name, as in SQL Server. */
const mostTables = 256;

/** The compilation cost of each table. */
const effortOfSource = 100;

/** Compiles FROM: commas become cross joins, so that one tree is left. */
export function compileFrom(
  items: readonly FromItem[],
  outer: Scope | undefined,
  context: Context,
): { tree: FromNode; sources: Source[] } | undefined {
  const sources: Source[] = [];
  const trees = items.map((item) => node(item, sources, outer, context));
  const [first, ...rest] = trees;
  if (first === undefined) return undefined;
  const tree = rest.reduce<FromNode>((left, right) => ({ kind: 'join', type: 'cross', left, right }), first);
  if (sources.length > mostTables) throw sqlError(106, mostTables);
  refuseTwins(sources);
  const missing = outerSides(tree);
  return { tree, sources: sources.map((source) => (missing.has(source.index) ? withNulls(source) : source)) };
}

/** The sources that an outer join may null-extend: their columns are then NULL, whatever their tables say. */
const outerSides = (tree: FromNode): ReadonlySet<number> =>
  new Set(
    joinsOf(tree).flatMap(({ type, left, right }) => [
      ...(type === 'left' || type === 'full' || type === 'outer apply' ? indexesOf(right) : []),
      ...(type === 'right' || type === 'full' ? indexesOf(left) : []),
    ]),
  );

const withNulls = (source: Source): Source => ({
  ...source,
  columns: source.columns.map((column) => ({ ...column, nullable: true })),
});

function refuseTwins(sources: readonly Source[]): void {
  const seen = new Set<string>();
  for (const { alias } of sources) {
    if (seen.has(alias)) throw sqlError(1013, alias, alias);
    seen.add(alias);
  }
}

function node(item: FromItem, sources: Source[], outer: Scope | undefined, context: Context): FromNode {
  if (item.kind === 'join') {
    const left = node(item.left, sources, outer, context);
    // The right side of APPLY sees the columns on its left, as a query sees those of its outer query.
    const around = item.type.endsWith('apply') ? new SelectScope([...sources], outer) : outer;
    const right = node(item.right, sources, around, context);
    return { kind: 'join', type: item.type, left, right, ...(item.on === undefined ? {} : { on: item.on }) };
  }
  context.spend(effortOfSource);
  const source = { ...sourceOf(item, outer, context), index: sources.length };
  if (source.stored !== undefined) source.stored.index = source.index;
  sources.push(source);
  return { kind: 'source', source };
}

type Unplaced = Omit<Source, 'index'>;

function sourceOf(item: Exclude<FromItem, { kind: 'join' }>, outer: Scope | undefined, context: Context): Unplaced {
  switch (item.kind) {
    case 'variable':
      return memorySource(context.frame.table(item.name), item.alias ?? item.name, [item.name]);
    case 'derived':
      return planSource(
        context.query(withCarriedRows(item.query, context), outer),
        item.alias,
        item.columns,
        isRepeated(outer, context),
        context.run,
      );
    case 'function':
      return functionSource(item, outer, context);
    case 'table':
      return tableSource(item.name, item.alias, outer, context);
  }
}

function tableSource(
  name: ObjectName,
  alias: string | undefined,
  outer: Scope | undefined,
  context: Context,
): Unplaced {
  const cte = name.schema === undefined && name.database === undefined ? context.ctes.get(fold(name.name)) : undefined;
  if (cte !== undefined) return planSource(cte(outer), alias ?? name.name, [], isRepeated(outer, context), context.run);
  const tableName = partsOf(name);
  const label = alias ?? tableName.join('.');
  const { host } = context.frame;
  const within = context.views.at(-1);
  const meant = within === undefined ? name : meantBy(within, name, host);
  const table = tableNamed(meant, host);
  if (table !== undefined) return memorySource(table, alias ?? name.name, tableName, label);
  const view = viewNamed(meant, host);
  if (view !== undefined) {
    const { run } = context;
    return { ...planSource(viewPlan(view, context), alias ?? name.name, [], isRepeated(outer, context), run), label };
  }
  const relation = context.known.relations.get(tableKey(meant));
  if (relation === undefined) throw sqlError(208, tableName.join('.'));
  const changed = context.frame.standInFor(name);
  if (changed !== undefined) return memorySource(changed, alias ?? name.name, tableName, label);
  const columns = columnsOf(relation.columns);
  const names = columns.map((column) => column.name);
  const named = { alias: fold(alias ?? name.name), label, columns, correlated: false, tableName };
  if (isStored(relation)) {
    const stored = new StoredSource(relation, meant.database, names);
    context.leaves.push(stored);
    return { ...named, stored, slot: (column) => stored.slot(column), rows: (env) => storedRows(stored, env) };
  }
  const leaf: WorkedOut = { relation, database: meant.database, columns: names, call: undefined };
  context.leaves.push(leaf);
  return { ...named, rows: () => workedOutRows(leaf) };
}

function functionSource(call: TableCall, outer: Scope | undefined, context: Context): Unplaced {
  const { name, args, alias } = call;
  const isSystems = name.schema === undefined || ['sys', 'smart_admin'].includes(fold(name.schema));
  const found = isSystems ? tableFunctions[fold(name.name)] : undefined;
  if (found === undefined) throw sqlError(208, partsOf(name).join('.'));
  if (args.length < found.arity) throw sqlError(313, partsOf(name).join('.'));
  if (args.length > found.arity + (found.optional ?? 0)) throw sqlError(8144, partsOf(name).join('.'));
  // What an argument refers to must exist even if the rows depend on none.
  const scope = new SelectScope([], outer);
  const { compiled, pending } = context.prepared(() => args.map((each) => context.expression(each, scope)));
  const label = alias ?? name.name;
  async function* rows(env: Env): AsyncGenerator<readonly (readonly unknown[])[]> {
    const around = envOf([], env);
    await answered(pending, around);
    const values = found?.asks ? compiled.map(({ evaluate }) => evaluate(around)) : [];
    const made = found?.rows(values, context, call) ?? [];
    yield* Symbol.asyncIterator in made ? made : drawnInBatches(made);
  }
  return {
    alias: fold(label),
    label,
    columns: typeof found.columns === 'function' ? found.columns(compiled, call) : found.columns,
    correlated: found.asks === true && scope.correlated,
    rows,
  };
}

const partsOf = ({ database, schema, name }: ObjectName): string[] => [
  ...(database ? [database, schema ?? ''] : schema ? [schema] : []),
  name,
];

/** A temporary table or table variable as a source. */
export function memorySource(
  table: MemoryTable,
  alias: string,
  tableName: readonly string[] = [],
  label = alias,
): Unplaced {
  return {
    alias: fold(alias),
    label,
    tableName,
    columns: table.columns,
    correlated: false,
    table,
    rows: () => inBatches(table.values()),
  };
}

/** True if a query runs once for each row of its outer query, and its own FROM yields the same rows every time. */
const isRepeated = (outer: Scope | undefined, { recursing }: Context): boolean => outer !== undefined && !recursing;

/** A query as a source, its columns renamed if a list is given; every column needs a name. */
function planSource(plan: Plan, alias: string, names: readonly string[], repeated: boolean, run: Run): Unplaced {
  const columns = renamed(plan.columns, names, alias);
  const rows = repeated && !plan.correlated ? kept(plan, run) : (env: Env) => rested(plan.rows(env));
  return { alias: fold(alias), label: alias, columns, correlated: plan.correlated, plan, rows };
}

/** The rows of a plan that depends on no other query: computed once, however often they are requested. */
function kept(plan: Plan, { memory, turn }: Run): (env: Env) => Batches<readonly unknown[]> {
  let found: readonly (readonly unknown[])[] | undefined;
  return async function* (env) {
    found ??= await gathered(plan.rows(env), memory, turn);
    yield* inBatches(found);
  };
}

/** The columns of a derived table or CTE: 8158, 8159 for a list of another length, 8155 for a column without a name. */
export function renamed(columns: readonly PlanColumn[], names: readonly string[], alias: string): PlanColumn[] {
  const shown = columns.filter(isShown).length;
  if (names.length > 0 && names.length < shown) throw sqlError(8158, alias);
  if (names.length > shown) throw sqlError(8159, alias);
  const seen = new Set<string>();
  return columns.map((column, index) => {
    if (!isShown(column)) return column;
    const name = names[index] ?? column.name;
    if (name === '') throw sqlError(8155, index + 1, alias);
    if (seen.has(fold(name))) throw sqlError(8156, name, alias);
    seen.add(fold(name));
    return { ...column, name };
  });
}
