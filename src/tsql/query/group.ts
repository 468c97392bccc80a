import { sqlError } from '../../base/sql-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Select } from '../ast/query.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { aggregateNames } from '../functions/aggregate-names.ts';
import { type Aggregate, compileAggregate } from '../functions/aggregates.ts';
import { keyOf } from '../values/key.ts';
import { expressionKey } from './expression-key.ts';
import { attempt, type Pause, pause } from './pause.ts';
import type { SelectScope } from './scope.ts';
import { hasCall } from './walk.ts';

/** True when a SELECT makes groups: it has GROUP BY, HAVING, or an aggregate in its list or order. */
export function isGrouped(select: Select, orderBy: unknown): boolean {
  if (select.groupBy.length > 0 || select.having !== undefined) return true;
  return hasCall([select.items, orderBy], (call) => aggregateNames.has(call.name) && call.over === undefined);
}

/** The names that may be used after grouping: what was grouped by, and aggregates. */
export class GroupScope implements Scope {
  readonly #base: SelectScope;
  readonly #keys: readonly string[];
  readonly #groups: readonly Compiled[];
  readonly #aggregates: Aggregate[] = [];

  constructor(base: SelectScope, groupBy: readonly Expression[], context: Context) {
    this.#base = base;
    this.#keys = groupBy.map((expression) => expressionKey(expression, base));
    this.#groups = groupBy.map((expression) => context.expression(expression, base));
  }

  column(parts: readonly string[]): Compiled {
    if (this.#base.find(parts) !== undefined) throw sqlError(8120, parts.join('.'));
    return this.#base.column(parts);
  }

  whole(expression: Expression, context: Context): Compiled | undefined {
    const at = this.#keys.length === 0 ? -1 : this.#keys.indexOf(expressionKey(expression, this.#base));
    const group = this.#groups[at];
    if (group !== undefined) return { ...group, evaluate: (env) => env.groups[at] ?? null };
    if (expression.kind !== 'call' || expression.over !== undefined || !aggregateNames.has(expression.name))
      return undefined;
    const place = this.#groups.length + this.#aggregates.length;
    const aggregate = compileAggregate(expression, this.#base, context);
    this.#aggregates.push(aggregate);
    return { type: aggregate.type, nullable: true, evaluate: (env) => env.groups[place] ?? null };
  }

  /** Gathers rows into groups; without GROUP BY there is one group, even of no rows. */
  *group(rows: Iterable<Env | Pause>, outer: Env): Generator<Env | Pause> {
    const groups = new Map<string, { values: unknown[]; accumulators: ReturnType<Aggregate['start']>[] }>();
    const start = (values: unknown[]) => ({ values, accumulators: this.#aggregates.map((each) => each.start()) });
    if (this.#groups.length === 0) groups.set('', start([]));
    const valuesOf = (env: Env) => this.#groups.map((group) => group.evaluate(env));
    for (const env of rows) {
      if (env === pause) {
        yield pause;
        continue;
      }
      let values = attempt(valuesOf, env);
      for (; values === pause; values = attempt(valuesOf, env)) yield pause;
      const key = keyOf(values.map((value, at) => [value, this.#groups[at]?.type]));
      let group = groups.get(key);
      if (group === undefined) {
        group = start(values);
        groups.set(key, group);
      }
      for (const { add } of group.accumulators) while (attempt(add, env) === pause) yield pause;
    }
    for (const { values, accumulators } of groups.values()) {
      yield { rows: [], groups: [...values, ...accumulators.map((each) => each.result())], windows: [], outer };
    }
  }
}
