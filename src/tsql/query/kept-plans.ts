import type { FunctionCall } from '../../syntax/ast/expression.ts';
import type { Query } from '../../syntax/ast/query.ts';
import { walk } from '../../syntax/ast/walk.ts';
import type { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { aggregateNames } from '../functions/aggregate-names.ts';
import { type SessionOptions, sameOptions } from '../options.ts';
import { handing } from './hand-over.ts';
import type { Plan } from './plan.ts';

/** A query that was compiled, with what it was compiled with. */
interface KeptPlan {
  readonly context: StatementContext;
  readonly plan: Plan;
  readonly options: SessionOptions;
}

/** How many queries have plans, and how many plans each: as many as run at the same moment, or under other options. */
const mostQueries = 256;
const mostPlans = 4;

/**
 * Plans of recent queries, for any session to run them again: only those that the engine answers, and that are made of
 * nothing that knows its session when it is compiled. A plan serves one run at a time.
 */
const plans = new Map<Query, KeptPlan[]>();

/** Takes a plan that serves a frame as one that is compiled for it would; undefined where there is none. */
export async function takePlan(query: Query, frame: Frame): Promise<KeptPlan | undefined> {
  const kept = plans.get(query);
  if (kept === undefined || !handing.isOn || frame.standIn !== undefined) return undefined;
  const at = kept.findIndex(({ options }) => sameOptions(options, frame.host.options));
  const [found] = at < 0 ? [] : kept.splice(at, 1);
  return found !== undefined && (await found.context.serve(frame)) ? found : undefined;
}

/** Keeps a plan that has run to its end. */
export function keepPlan(query: Query, { context, plan, options }: KeptPlan): void {
  const kept = plans.get(query) ?? [];
  plans.delete(query);
  plans.set(query, kept);
  if (kept.length < mostPlans) kept.push({ context, plan, options });
  context.rest();
  const [oldest] = plans.keys();
  if (plans.size > mostQueries && oldest !== undefined) plans.delete(oldest);
}

/** A new plan for the next run, where it may have one. */
export const keepable = (query: Query, context: StatementContext, plan: Plan): KeptPlan | undefined =>
  plan.isAlone && handing.isOn && !context.awaits && isSteady(query)
    ? { context, plan, options: { ...context.frame.host.options } }
    : undefined;

/** What compiles to the same thing in every session. */
const steady: ReadonlySet<string> = new Set([
  ...['select', 'star', 'value', 'assign', 'table', 'join'],
  ...['literal', 'variable', 'column', 'unary', 'binary', 'cast', 'case', 'collate'],
  ...['comparison', 'between', 'in', 'isNull', 'like', 'and', 'or', 'not'],
]);

function isSteady(query: Query): boolean {
  let isFit = query.with.length === 0 && query.as === undefined;
  walk(query, (node) => {
    // A call is told by its kind.
    const isAggregate = node.kind === 'call' && aggregateNames.has((node as FunctionCall).name);
    isFit &&= steady.has(node.kind) || (isAggregate && !('over' in node && node.over !== undefined));
    return isFit;
  });
  return isFit;
}
