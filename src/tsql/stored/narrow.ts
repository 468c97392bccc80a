import type { Sql } from '../../engine/sql.ts';
import { engineConditionSql, type Predicate } from '../../procedure/relations/engine-query.ts';
import type { Delete, Update } from '../../syntax/ast/statement.ts';
import { noRows } from '../evaluate/compiled.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { engineCondition } from '../query/by-engine/engine-condition.ts';
import { handing } from '../query/by-engine/hand-over.ts';
import { compileFrom } from '../query/joins/from.ts';
import { envOf } from '../query/joins/join-row.ts';
import { reading } from '../query/read.ts';
import { conjuncts } from '../query/row-tests.ts';
import { SelectScope } from '../query/scope.ts';
import type { StoredTarget } from './target.ts';

/** What of a WHERE the engine can test. */
export interface Narrowed {
  /** Conditions over the columns of the relation's table; all rows that the statement changes pass them. */
  readonly where: readonly Sql[];
  /** True when no other row does. */
  readonly isExact: boolean;
}

const everything: Narrowed = { where: [], isExact: false };

/** Finds out which rows of a relation an UPDATE or DELETE can be about. One with FROM is left to the interpreter. */
export async function narrowed(
  { relation }: StoredTarget,
  statement: Update | Delete,
  frame: Frame,
): Promise<Narrowed> {
  const { target, from, where, current } = statement;
  if ('variable' in target || from.length > 0 || statement.with.length > 0 || current !== undefined || !handing.isOn)
    return everything;
  const items = [{ kind: 'table' as const, name: target }];
  const context = await StatementContext.of(frame, [statement, items]);
  const compiled = compileFrom(items, undefined, context);
  // A view has rows of its own to find.
  if (compiled?.sources[0]?.stored === undefined) return everything;
  const { sources } = compiled;
  const scope = new SelectScope(sources, undefined);
  const conditions = conjuncts(where).map((each) => engineCondition(each, { scope, sources, context }));
  const built: Predicate[] = [];
  let isExact = true;
  await reading(context, async () => {
    for (const condition of conditions) {
      const predicate = await condition?.build(envOf([], noRows));
      if (predicate !== undefined) built.push(predicate);
      if (predicate === undefined || !condition?.isExact) isExact = false;
    }
  });
  return { where: built.map((predicate) => engineConditionSql(relation, predicate)), isExact };
}
