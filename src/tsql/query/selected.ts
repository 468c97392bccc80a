import type { EngineQuery, Output } from '../../procedure/relations/engine-query.ts';
import { type Env, type Test, unlessRefused } from '../evaluate/compiled.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';
import { type Batches, behind, changed, evaluated, firstOf, keepValue } from './batches.ts';
import type { EngineGroups, EngineKeys } from './by-engine/engine-groups.ts';
import { engineRows } from './by-engine/engine-rows.ts';
import type { Asked, EngineTree } from './by-engine/engine-tree.ts';
import type { GroupScope } from './group.ts';
import type { Source } from './joins/from.ts';
import { fromRows, type JoinTree } from './joins/join.ts';
import { envOf, joinRowSizer } from './joins/join-row.ts';
import type { Limits } from './limits.ts';
import { type KeyedEnv, sortedAndLimited } from './limits.ts';
import type { PlanColumn } from './plan.ts';
import { passing } from './row-tests.ts';
import { type Run, sizeOf } from './run.ts';
import { newcomers } from './set-operation.ts';
import type { SortKey } from './sort.ts';
import type { WindowScope } from './windows/window.ts';

type Row = readonly unknown[];

/** The steps of a SELECT, and which of them the engine could do. */
export interface SelectSteps {
  readonly sources: readonly Source[];
  readonly tree: JoinTree | undefined;
  readonly where: readonly Prepared<Test>[];
  /** The conditions of WHERE that are the same for every row of FROM. */
  readonly fixed: readonly Prepared<Test>[];
  readonly group: GroupScope | undefined;
  readonly having: readonly Prepared<Test>[];
  readonly windows: WindowScope;
  /** Makes a row of the result. */
  readonly project: Prepared<(env: Env) => unknown[]>;
  readonly columns: readonly PlanColumn[];
  readonly distinct: boolean;
  readonly keys: readonly SortKey[];
  readonly keysOf: Prepared<(env: Env) => unknown[]>;
  readonly limits: Limits;
  /** Present if the engine can read FROM, with as much of WHERE as it can test. */
  readonly engine: EngineTree | undefined;
  /** Present if it can also group. */
  readonly engineGroups: EngineGroups | undefined;
  /** Present if it can also sort. */
  readonly engineOrder: EngineQuery['orderBy'] | undefined;
  /** Present if the select list consists of columns that it can return. */
  readonly engineList: readonly Output[] | undefined;
  /** Present if it distinguishes the columns of a SELECT DISTINCT as SQL Server does. */
  readonly engineDistinct: EngineKeys | undefined;
  /** True if each row is consumed before the next is made: `SELECT @s = @s + x` sees each step. */
  readonly oneByOne: boolean;
  /** True if nothing else in its statement queries an engine. */
  readonly isAlone: boolean;
}

/** What is determined when a SELECT begins to run. */
interface Started {
  /** The query for the engine; undefined if it does not read all of FROM. */
  readonly asked: Asked | undefined;
  /** True if the engine sorts. */
  readonly isSorted: boolean;
  readonly count: number | undefined;
  readonly percent: number | undefined;
  readonly skip: number;
  /** True if the engine does everything up to the select list. */
  readonly isCut: boolean;
  /** The rows that the engine omits after sorting. */
  readonly bounds: Pick<EngineQuery, 'limit' | 'offset' | 'isFixed'>;
}

/** Determines what depends on values that are known when a SELECT begins. */
export async function start(steps: SelectSteps, outer: Env, most: number): Promise<Started> {
  const { engine, engineOrder, group, windows, distinct, keys, limits, engineDistinct } = steps;
  const { count, percent, skip } = await limits.of(outer);
  const asked = await engine?.ask(outer);
  const isWhole = asked?.rest.length === 0;
  const isPlain = group === undefined && !windows.used && (!distinct || (isWhole && engineDistinct !== undefined));
  const isLimitable = isPlain && percent === undefined && !limits.ties;
  const isSorted = asked !== undefined && isLimitable && engineOrder !== undefined && keys.length > 0;
  const wanted = Math.min(count ?? Number.POSITIVE_INFINITY, most);
  const isCut = isWhole && isLimitable && (isSorted || keys.length === 0);
  const bounds = {
    ...(isCut && Number.isSafeInteger(wanted) ? { limit: wanted } : {}),
    ...(isCut && skip > 0 ? { offset: skip } : {}),
    isFixed: limits.isFixed,
  };
  return { asked, isSorted, count, percent, skip: isCut ? 0 : skip, isCut, bounds };
}

/** Runs a SELECT; at most `most` rows are needed. */
export async function* selected(
  steps: SelectSteps,
  outer: Env,
  run: Run,
  most: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Row[]> {
  const { having, windows, project, distinct, keys, limits, oneByOne } = steps;
  const started = await start(steps, outer, most);
  const { isSorted, count, percent, skip } = started;
  const query = engineQueryOf(steps, started);
  if (query !== undefined && (query.outputs === steps.engineList || (!steps.group && query.groupBy !== undefined))) {
    yield* engineRows(query, steps.engine?.call, steps);
    return;
  }
  const toSort = (keys.length > 0 && !isSorted) || percent !== undefined;
  const wanted = count ?? Number.POSITIVE_INFINITY;
  let rows = passing(groupsOf(steps, started, query, outer, run), having, run);
  if (windows.used) {
    rows = windows.apply(rows, toSort || distinct ? Number.POSITIVE_INFINITY : wanted, sizerOf(steps), run);
  }
  if (toSort) {
    const size = sizerOf(steps);
    const bounds = { count, percent, skip, ties: limits.ties };
    const sorted = sortedAndLimited(keyedRows(steps, rows, run), keys, bounds, ({ env }) => size(env), run);
    rows = changed(sorted, ({ env }) => env);
    yield* evaluated(rows, project, keepValue, run.turn, oneByOne);
  } else if (distinct) yield* changed(firstOf(distinctRows(steps, rows, run), wanted), ({ row }) => row);
  else yield* evaluated(firstOf(behind(rows, skip), wanted), project, keepValue, run.turn, oneByOne);
}

/** The query of a SELECT for the engine; undefined if it does not read all of FROM. */
export function engineQueryOf(steps: SelectSteps, started: Started): EngineQuery | undefined {
  const { engine, engineDistinct, engineGroups, engineOrder = [], keys } = steps;
  const { asked, isSorted, isCut, bounds, percent } = started;
  if (engine === undefined || asked === undefined) return undefined;
  const { from, where } = asked;
  const isWhole = asked.rest.length === 0;
  if (engineGroups !== undefined && isWhole) return { from, where, ...engineGroups, orderBy: [] };
  const orderBy = isSorted ? engineOrder : [];
  if (isCut && steps.engineList !== undefined) return { from, where, outputs: steps.engineList, orderBy, ...bounds };
  const sortsHere = (keys.length > 0 && !isSorted) || percent !== undefined;
  if (engineDistinct === undefined || !isWhole || sortsHere) {
    return { from, where, outputs: engine.layout.outputs, orderBy, ...bounds };
  }
  return { from, where, ...engineDistinct, orderBy, ...bounds };
}

/** The rows of FROM that pass WHERE, or their groups. */
function groupsOf(
  steps: SelectSteps,
  started: Started,
  query: EngineQuery | undefined,
  outer: Env,
  run: Run,
): Batches<Env> {
  const { engine, engineGroups, group } = steps;
  const { asked } = started;
  if (engine === undefined || asked === undefined || query === undefined) {
    const rows = unlessExcluded(fromRows(steps.tree, steps.where, outer, run), steps.fixed, outer);
    return group === undefined ? rows : group.group(rows, outer, run);
  }
  const answers = engineRows(query, engine.call, steps);
  if (engineGroups !== undefined && query.groupBy !== undefined) {
    return changed(answers, (row) => ({ rows: [], groups: engineGroups.values(row), windows: [], outer }));
  }
  const { layout } = engine;
  const read = changed(answers, (row) => envOf(layout.row(row), outer));
  const rows = unlessExcluded(passing(read, asked.rest, run), steps.fixed, outer);
  return group === undefined ? rows : group.group(rows, outer, run);
}

/**
 * Rows of FROM, unless a condition that is the same for all of them is false: then FROM is not even read, which for
 * tables joined by commas would be all combinations of their rows.
 */
async function* unlessExcluded(
  rows: Batches<Env>,
  fixed: readonly Prepared<Test>[],
  outer: Env,
): AsyncGenerator<readonly Env[]> {
  const env = envOf([], outer);
  for (const { compiled, pending } of fixed) {
    await answered(pending, env);
    // An error belongs to the first row, if there is one.
    const passes = unlessRefused(() => compiled(env) === true);
    if (passes === false) return;
  }
  yield* rows;
}

/** Estimates the memory for holding rows. */
function sizerOf({ sources }: SelectSteps): (env: Env) => number {
  const rowSize = joinRowSizer(sources);
  return ({ rows, groups, windows }) => rowSize(rows) + sizeOf(groups) + sizeOf(windows);
}

/** The rows of a DISTINCT, each with its environment. */
function distinctRows(
  steps: SelectSteps,
  rows: Batches<Env>,
  run: Run,
): Batches<{ readonly row: Row; readonly env: Env }> {
  const keep = (row: Row, env: Env, kept: { row: Row; env: Env }[]): void => void kept.push({ row, env });
  const types = steps.columns.map(({ type }) => type);
  return newcomers(evaluated(rows, steps.project, keep, run.turn), ({ row }) => row, types, run);
}

/**
 * Rows with their sort keys. They are projected after sorting, so that `SELECT @s = @s + x … ORDER BY` sees each step.
 */
async function* keyedRows(steps: SelectSteps, rows: Batches<Env>, run: Run): AsyncGenerator<readonly KeyedEnv[]> {
  const kept = steps.distinct ? changed(distinctRows(steps, rows, run), ({ env }) => env) : rows;
  yield* evaluated(kept, steps.keysOf, (keys, env, all: KeyedEnv[]) => void all.push({ env, keys }), run.turn);
}
