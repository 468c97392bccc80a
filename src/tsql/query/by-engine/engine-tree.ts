import { fold } from '../../../base/text/collation.ts';
import type { EngineFrom, EngineQuery, Predicate } from '../../../procedure/relations/engine-query.ts';
import type { Condition } from '../../../syntax/ast/expression.ts';
import type { Env, Test } from '../../evaluate/compiled.ts';
import type { Context } from '../../evaluate/context.ts';
import type { Prepared } from '../../evaluate/prepared.ts';
import type { FromNode, Source } from '../joins/from.ts';
import { joinsOf } from '../joins/from-tree.ts';
import { envOf } from '../joins/join-row.ts';
import { conjuncts } from '../row-tests.ts';
import { type About, firstPlace } from './engine-column.ts';
import { allBuilt, type EngineCondition, engineCondition } from './engine-condition.ts';
import { engineRows, type Layout, layoutOf } from './engine-rows.ts';
import type { StoredSource } from './stored-source.ts';

/** A FROM that the engine reads as a whole: relations of one database, joined by conditions that it can test. */
type Template =
  | { readonly kind: 'relation'; readonly place: number; readonly stored: StoredSource }
  | {
      readonly kind: 'join';
      readonly type: 'inner' | 'left' | 'full';
      readonly left: Template;
      readonly right: Template;
      readonly on: readonly EngineCondition[];
    };

/** A condition of WHERE: as the engine tests it, and as the interpreter does. */
export interface WherePart {
  readonly engine: EngineCondition | undefined;
  readonly test: Prepared<Test>;
  /** True if its result is the same for every row of FROM, and no subquery is needed to know it. */
  readonly isFixed: boolean;
}

/** The engine's query, once its values are known. */
export interface Asked {
  readonly from: EngineFrom;
  readonly where: readonly Predicate[];
  /** What the interpreter has to test. */
  readonly rest: readonly Prepared<Test>[];
}

/** The FROM and WHERE of a SELECT that the engine answers. */
export class EngineTree {
  readonly #template: Template;
  readonly #where: readonly WherePart[];
  readonly #sources: readonly Source[];
  /** Created when the query first runs: only then is it known which columns it uses. */
  #layout: Layout | undefined;

  constructor(template: Template, where: readonly WherePart[], sources: readonly Source[]) {
    this.#template = template;
    this.#where = where;
    this.#sources = sources;
  }

  /** Inserts values known now; undefined if a join condition cannot be pushed down. */
  async ask(outer: Env): Promise<Asked | undefined> {
    const env = envOf([], outer);
    const from = await built(this.#template, env);
    if (from === undefined) return undefined;
    const where: Predicate[] = [];
    const rest: Prepared<Test>[] = [];
    for (const { engine, test } of this.#where) {
      const predicate = await engine?.build(env);
      if (predicate !== undefined) where.push(predicate);
      if (predicate === undefined || !engine?.isExact) rest.push(test);
    }
    return { from, where, rest };
  }

  /** The columns read from the sources, and how they become their rows. */
  get layout(): Layout {
    const stored = this.#sources.flatMap(({ index, stored: each }): [number, StoredSource][] =>
      each === undefined ? [] : [[index, each]],
    );
    this.#layout ??= layoutOf(stored, new Set(optionalIn(this.#template)), this.#sources.length);
    return this.#layout;
  }

  /** True for a source for which an outer join may find no row. */
  isOptional(source: number): boolean {
    return optionalIn(this.#template).includes(source);
  }

  get call() {
    return this.#sources[0]?.stored?.call;
  }
}

/** The FROM of a SELECT as the engine reads it; undefined if it cannot read all of it. */
export function engineTree(node: FromNode, where: readonly WherePart[], about: About): EngineTree | undefined {
  const { sources, context } = about;
  if (!isOneDatabase(sources, context)) return undefined;
  const template = templateOf(node, about);
  return template && new EngineTree(template, where, sources);
}

/** True when all sources are relations of one database. */
export function isOneDatabase(sources: readonly Source[], { frame }: Context): boolean {
  const databases = new Set(sources.map(({ stored }) => stored && fold(stored.database ?? frame.host.database)));
  return databases.size === 1 && !databases.has(undefined);
}

/** A FROM as the engine reads it; undefined if it cannot. */
export function templateOf(node: FromNode, about: About): Template | undefined {
  if (node.kind === 'source') {
    const { source } = node;
    return source.stored && { kind: 'relation', place: firstPlace(about) + source.index, stored: source.stored };
  }
  if (node.type === 'cross apply' || node.type === 'outer apply') return undefined;
  // A right join is a left join with its sides swapped.
  const isTurned = node.type === 'right';
  const left = templateOf(isTurned ? node.right : node.left, about);
  const right = templateOf(isTurned ? node.left : node.right, about);
  const on = exactConditions(node.on, about);
  if (left === undefined || right === undefined || on === undefined) return undefined;
  if (node.type === 'full')
    return isLinked(left, right, on) ? { kind: 'join', type: 'full', left, right, on } : undefined;
  return { kind: 'join', type: node.type === 'left' || isTurned ? 'left' : 'inner', left, right, on };
}

/** True if both sides are joined only by equal columns: PostgreSQL supports no other full joins. */
function isLinked(left: Template, right: Template, on: readonly EngineCondition[]): boolean {
  const [before, behind] = [placesIn(left), placesIn(right)];
  const isAcross = ([a, b]: readonly [number, number]): boolean =>
    (before.includes(a) && behind.includes(b)) || (before.includes(b) && behind.includes(a));
  return on.length > 0 && on.every(({ links }) => links !== undefined && isAcross(links));
}

/** The parts of a condition, if the engine tests all of them exactly. */
export function exactConditions(condition: Condition | undefined, about: About): EngineCondition[] | undefined {
  const parts = conjuncts(condition);
  const exact = parts.map((each) => engineCondition(each, about)).flatMap((each) => (each?.isExact ? each : []));
  return exact.length === parts.length ? exact : undefined;
}

function optionalIn(template: Template): number[] {
  if (template.kind === 'relation') return [];
  if (template.type === 'full') return placesIn(template);
  const right = template.type === 'left' ? placesIn(template.right) : optionalIn(template.right);
  return [...optionalIn(template.left), ...right];
}

const placesIn = (template: Template): number[] =>
  template.kind === 'relation' ? [template.place] : [...placesIn(template.left), ...placesIn(template.right)];

/** Inserts values known when the query runs; undefined if that fails. */
export async function built(template: Template, env: Env): Promise<EngineFrom | undefined> {
  if (template.kind === 'relation') {
    return { kind: 'relation', source: template.place, relation: template.stored.relation };
  }
  const left = await built(template.left, env);
  const right = await built(template.right, env);
  const on = await allBuilt(template.on, env);
  return left && right && on && { kind: 'join', type: template.type, left, right, on };
}

/** The engine's query for the rows of one source, without those that its filters exclude. */
export async function storedQuery(stored: StoredSource, env: Env): Promise<EngineQuery> {
  const where: Predicate[] = [];
  for (const filter of stored.filters) {
    const predicate = await filter.build(envOf([], env));
    if (predicate !== undefined) where.push(predicate);
  }
  const { index, relation } = stored;
  const { outputs } = layoutOf([[index, stored]], new Set(), 1);
  return { from: { kind: 'relation', source: index, relation }, where, outputs, orderBy: [] };
}

/** The rows of one source that the engine reads alone. */
export async function* storedRows(stored: StoredSource, env: Env): AsyncGenerator<readonly (readonly unknown[])[]> {
  yield* engineRows(await storedQuery(stored, env), stored.call, { sources: [], isAlone: false });
}

/**
 * Lets the engine filter single sources of a SELECT if it does not read all of FROM. The interpreter tests the
 * conditions again: null-extended rows of an outer join are its responsibility.
 */
export function filterSources(node: FromNode, where: readonly WherePart[], about: About): void {
  const joins = joinsOf(node);
  // The right side of APPLY runs for the rows of the left, and sees another outer row.
  if (joins.some(({ type }) => type.endsWith('apply'))) return;
  const isInner = joins.every(({ type }) => type === 'inner' || type === 'cross');
  const conditions = where.flatMap(({ engine }) => engine ?? []);
  const ons = isInner ? joins.flatMap(({ on }) => conjuncts(on)) : [];
  conditions.push(...ons.flatMap((on) => engineCondition(on, about) ?? []));
  for (const condition of conditions) {
    const [only, ...more] = condition.sources;
    if (only === undefined || more.length > 0 || !(isInner || condition.rejectsNull)) continue;
    about.sources[only]?.stored?.filters.push(condition);
  }
}
