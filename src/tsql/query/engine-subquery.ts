import { fold } from '../../base/collation.ts';
import type { EngineFrom, Predicate } from '../../procedure/engine-query.ts';
import type { Condition } from '../../syntax/ast/expression.ts';
import type { FromItem, Query, Select } from '../../syntax/ast/query.ts';
import { comparisonType } from '../../values/precedence.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { type About, engineColumn, formFor, referenceTo } from './engine-column.ts';
import { type EngineCondition, engineCondition } from './engine-condition.ts';
import { built, isOneDatabase, type Template, templateOf } from './engine-tree.ts';
import { compileFrom } from './from.ts';
import { isGrouped } from './group.ts';
import { conjuncts, envOf } from './join.ts';
import { SelectScope } from './scope.ts';

type Subquery = Condition & { kind: 'exists' | 'inQuery' };

/** EXISTS and IN over relations of the database that the query around reads: the engine looks there itself. */
export function engineSubquery(condition: Subquery, around: About): EngineCondition | undefined {
  const select = plainSelect(condition.query, around.context);
  const from = select && compileFrom(select.from, around.scope, around.context);
  if (select === undefined || from === undefined || !isOneDatabase(withAround(around, from.sources), around.context)) {
    return undefined;
  }
  const scope = new SelectScope(from.sources, around.scope);
  const about: About = { ...around, scope, sources: from.sources, around };
  const template = templateOf(from.tree, about);
  const tests = conjuncts(select.where).map((each) => engineCondition(each, about));
  const exact = tests.filter((each) => each?.isExact === true).filter((each) => each !== undefined);
  if (template === undefined || exact.length < tests.length) return undefined;
  const own = new Set(exact.flatMap(({ sources }) => [...sources]));
  if (condition.kind === 'exists') {
    const make = (inner: Built): Predicate => ({ kind: 'exists', ...inner });
    return {
      sources: aroundOnly(own, about),
      isExact: true,
      isNested: true,
      rejectsNull: false,
      fixes: [],
      build: builder(template, exact, make),
    };
  }
  return inTest(condition, select, about, builderOf(template, exact), own);
}

interface Built {
  readonly from: EngineFrom;
  readonly where: readonly Predicate[];
}

type Builder = (make: (inner: Built) => Predicate) => EngineCondition['build'];

const builderOf =
  (template: Template, tests: readonly EngineCondition[]): Builder =>
  (make) =>
    builder(template, tests, make);

function builder(
  template: Template,
  tests: readonly EngineCondition[],
  make: (inner: Built) => Predicate,
): EngineCondition['build'] {
  return async (env: Env) => {
    const inside = envOf([], env);
    const from = await built(template, inside);
    const where: Predicate[] = [];
    for (const test of tests) {
      const predicate = await test.build(inside);
      if (predicate === undefined) return undefined;
      where.push(predicate);
    }
    return from && make({ from, where });
  };
}

function inTest(
  condition: Condition & { kind: 'inQuery' },
  { items }: Select,
  about: About,
  build: Builder,
  own: ReadonlySet<number>,
): EngineCondition | undefined {
  const [item, ...more] = items;
  const left = about.around && engineColumn(condition.operand, about.around);
  const column = item?.kind === 'value' ? engineColumn(item.expression, about) : undefined;
  if (left === undefined || column === undefined || more.length > 0) return undefined;
  const common = comparisonType(left.type, column.type, '=');
  const form = formFor(left, common, '=');
  if (form === undefined || formFor(column, common, '=') !== form) return undefined;
  const references = { left: referenceTo(left, form), column: referenceTo(column, form) };
  return {
    sources: new Set([left.source, ...aroundOnly(own, about)]),
    isExact: true,
    isNested: true,
    rejectsNull: false,
    fixes: [],
    build: build((inner) => ({ kind: 'inQuery', ...references, ...inner })),
  };
}

/** A query that is nothing but rows of tables that pass some conditions. */
function plainSelect(
  { body, with: ctes, as: text, offset, fetch }: Query,
  { ctes: known }: Context,
): Select | undefined {
  if (body.kind !== 'select' || ctes.length > 0 || text !== undefined || offset !== undefined || fetch !== undefined) {
    return undefined;
  }
  const isTable = (item: FromItem): boolean =>
    item.kind === 'join'
      ? isTable(item.left) && isTable(item.right)
      : item.kind === 'table' && !known.has(fold(item.name.name));
  return body.top === undefined && !isGrouped(body, []) && body.from.every(isTable) ? body : undefined;
}

function withAround({ sources, around }: About, inner: About['sources']): About['sources'] {
  const stored = sources.filter((source) => source.stored !== undefined);
  return [...(around === undefined ? [] : withAround(around, [])), ...stored, ...inner];
}

const aroundOnly = (sources: ReadonlySet<number>, { around }: About): Set<number> =>
  new Set([...sources].filter((source) => around !== undefined && source < placesOf(around)));

const placesOf = ({ around, sources }: About): number => sources.length + (around === undefined ? 0 : placesOf(around));
