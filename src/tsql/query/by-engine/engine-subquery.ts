import { fold } from '../../../base/text/collation.ts';
import type { EngineFrom, Predicate } from '../../../procedure/relations/engine-query.ts';
import type { Condition } from '../../../syntax/ast/expression.ts';
import type { FromItem, Query, Select } from '../../../syntax/ast/query.ts';
import { comparisonType } from '../../../values/precedence.ts';
import type { Env } from '../../evaluate/compiled.ts';
import type { Context } from '../../evaluate/context.ts';
import { isGrouped } from '../group.ts';
import { compileFrom } from '../joins/from.ts';
import { envOf } from '../joins/join-row.ts';
import { SelectScope } from '../scope.ts';
import { type About, engineColumn, firstPlace, formFor, referenceTo } from './engine-column.ts';
import { allBuilt, conditionOver, type EngineCondition } from './engine-condition.ts';
import { built, exactConditions, isOneDatabase, templateOf } from './engine-tree.ts';

type Subquery = Condition & { kind: 'exists' | 'inQuery' };

/** EXISTS and IN over relations of the database that the outer query reads: the engine evaluates them itself. */
export function engineSubquery(condition: Subquery, around: About): EngineCondition | undefined {
  const select = plainSelect(condition.query, around.context);
  const from = select && compileFrom(select.from, around.scope, around.context);
  if (select === undefined || from === undefined || !isOneDatabase(withAround(around, from.sources), around.context)) {
    return undefined;
  }
  const scope = new SelectScope(from.sources, around.scope);
  const about: About = { ...around, scope, sources: from.sources, around };
  const template = templateOf(from.tree, about);
  const tests = exactConditions(select.where, about);
  if (template === undefined || tests === undefined) return undefined;
  // Of the sources that it needs, those of the outer queries.
  const sources = tests.flatMap((each) => [...each.sources].filter((source) => source < firstPlace(about)));
  const inside = async (env: Env): Promise<Inside | undefined> => {
    const within = envOf([], env);
    const [inner, where] = [await built(template, within), await allBuilt(tests, within)];
    return inner && where && { from: inner, where };
  };
  if (condition.kind === 'inQuery') return inTest(condition, select, about, sources, inside);
  const build = async (env: Env) => {
    const found = await inside(env);
    return found && ({ kind: 'exists', ...found } as const);
  };
  return conditionOver(sources, build, nested);
}

/** The common properties of every test that reads other rows. */
const nested = { isNested: true, rejectsNull: false };

/** What the engine reads for it. */
interface Inside {
  readonly from: EngineFrom;
  readonly where: readonly Predicate[];
}

function inTest(
  { operand }: Condition & { kind: 'inQuery' },
  { items }: Select,
  about: About,
  sources: readonly number[],
  inside: (env: Env) => Promise<Inside | undefined>,
): EngineCondition | undefined {
  const [item, ...more] = items;
  const left = about.around && engineColumn(operand, about.around);
  const column = item?.kind === 'value' ? engineColumn(item.expression, about) : undefined;
  if (left === undefined || column === undefined || more.length > 0) return undefined;
  const common = comparisonType(left.type, column.type, '=');
  const form = formFor(left, common, '=');
  if (form === undefined || formFor(column, common, '=') !== form) return undefined;
  const references = { left: referenceTo(left, form), column: referenceTo(column, form) };
  const build = async (env: Env) => {
    const found = await inside(env);
    return found && ({ kind: 'inQuery', ...references, ...found } as const);
  };
  return conditionOver([left.source, ...sources], build, nested);
}

/** A query that only yields rows of tables that pass some conditions. */
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
