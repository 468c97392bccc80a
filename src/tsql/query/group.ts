import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { inTurns } from '../../base/threads/steps.ts';
import type { Expression, FunctionCall } from '../../syntax/ast/expression.ts';
import type { Select } from '../../syntax/ast/query.ts';
import { hasCall } from '../../syntax/ast/walk.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { allPrepared, answered, type Prepared } from '../evaluate/prepared.ts';
import { aggregateNames } from '../functions/aggregate-names.ts';
import { type Accumulator, type Aggregate, compileAggregate } from '../functions/aggregates.ts';
import { type Batches, changed, inBatches } from './batches.ts';
import { hold, keyInTurns, type Run, sizeOf } from './run.ts';
import type { SelectScope } from './scope.ts';

/** True if a SELECT groups: it has GROUP BY, HAVING, or an aggregate in its list or order. */
export function isGrouped(select: Select, orderBy: unknown): boolean {
  if (select.groupBy.length > 0 || select.having !== undefined) return true;
  return hasCall([select.items, orderBy], (call) => aggregateNames.has(call.name) && call.over === undefined);
}

interface Group {
  readonly values: readonly unknown[];
  readonly accumulators: readonly Accumulator[];
}

/** The memory of an aggregate per group besides its values. */
const accumulatorSize = 128;

/** The names available after grouping: group keys and aggregates. */
export class GroupScope implements Scope {
  readonly #base: SelectScope;
  readonly #keys: readonly string[];
  readonly #groups: Prepared<readonly Compiled[]>;
  readonly #aggregates: Prepared<Aggregate>[] = [];
  /** The calls of the aggregates, in their order. */
  readonly calls: FunctionCall[] = [];

  constructor(base: SelectScope, groupBy: readonly Expression[], context: Context) {
    this.#base = base;
    this.#keys = groupBy.map((expression) => expressionKey(expression, base));
    this.#groups = context.prepared(() => groupBy.map((expression) => context.expression(expression, base)));
  }

  column(parts: readonly string[]): Compiled {
    if (this.#base.find(parts) !== undefined) throw sqlError(8120, parts.join('.'));
    return this.#base.column(parts);
  }

  whole(expression: Expression, context: Context): Compiled | undefined {
    const at = this.#keys.length === 0 ? -1 : this.#keys.indexOf(expressionKey(expression, this.#base));
    const group = this.#groups.compiled[at];
    if (group !== undefined) return { ...group, evaluate: (env) => env.groups[at] ?? null };
    if (expression.kind !== 'call' || expression.over !== undefined || !aggregateNames.has(expression.name))
      return undefined;
    const place = this.#keys.length + this.#aggregates.length;
    const aggregate = context.prepared(() => compileAggregate(expression, this.#base, context));
    this.#aggregates.push(aggregate);
    this.calls.push(expression);
    return { type: aggregate.compiled.type, nullable: true, evaluate: (env) => env.groups[place] ?? null };
  }

  /** Collects rows into groups; without GROUP BY there is one group, even of no rows. */
  async *group(rows: Batches<Env>, outer: Env, run: Run): AsyncGenerator<readonly Env[]> {
    const { compiled: columns, pending } = this.#groups;
    const { compiled: aggregates, pending: inAggregates } = allPrepared(this.#aggregates);
    using held = hold(run);
    const groups = new Map<string, Group>();
    const start = (values: readonly unknown[]): Group => ({
      values,
      accumulators: aggregates.map((each) => each.start((bytes) => held.grow(bytes))),
    });
    if (columns.length === 0) groups.set('', start([]));
    const awaited = [...pending, ...inAggregates];
    for await (const batch of rows) {
      for (const env of batch) {
        const wait = answered(awaited, env);
        if (wait !== undefined) await wait;
        const values = columns.map((column) => column.evaluate(env));
        const made = keyInTurns(
          values.map((value, at) => [value, columns[at]?.type]),
          run.turn,
        );
        const key = typeof made === 'string' ? made : await made;
        let group = groups.get(key);
        if (group === undefined) {
          group = start(values);
          held.grow(sizeOf(key) + sizeOf(values) + accumulatorSize * (1 + aggregates.length));
          groups.set(key, group);
        }
        for (const accumulator of group.accumulators) {
          const work = accumulator.add(env);
          if (work !== undefined) await inTurns(work, run.turn);
        }
        if (run.turn.isOver) await run.turn.giveWay();
      }
    }
    for (const { accumulators } of groups.values())
      for (const { settle } of accumulators) if (settle !== undefined) await inTurns(settle(), run.turn);
    yield* changed(inBatches([...groups.values()]), ({ values, accumulators }) => ({
      rows: [],
      groups: [...values, ...accumulators.map((each) => each.result())],
      windows: [],
      outer,
    }));
  }
}

/** A text that is the same for equivalent expressions: columns count by what they refer to, not by their spelling. */
function expressionKey(expression: Expression, scope: SelectScope): string {
  return JSON.stringify(expression, (name, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'object' || value === null) return value;
    if (name === 'type' && 'declaration' in value) return value.declaration;
    if ('kind' in value && value.kind === 'variable' && 'name' in value) return fold(String(value.name));
    if (!('kind' in value) || value.kind !== 'column' || !('parts' in value)) return value;
    // A column's parts are strings; only the parser makes such nodes.
    const parts = value.parts as readonly string[];
    const place = scope.find(parts);
    return place === undefined ? parts.map(fold) : { at: `${place.source}.${place.column}` };
  });
}
