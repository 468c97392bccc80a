import type { FunctionCall, Literal } from '../../syntax/ast/expression.ts';
import type { Query } from '../../syntax/ast/query.ts';
import { walk } from '../../syntax/ast/walk.ts';
import type { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { aggregateNames } from '../functions/aggregate-names.ts';
import { type SessionOptions, sameOptions } from '../options.ts';
import { handing } from './by-engine/hand-over.ts';
import type { Plan } from './plan.ts';

/** A compiled query with its compilation context. */
interface KeptPlan {
  readonly context: StatementContext;
  readonly plan: Plan;
  readonly options: SessionOptions;
  /** The number of nodes of the query, long constants counted as several: the size of its plan grows with them. */
  readonly nodes: number;
}

/** How many queries have plans, and how many plans each: one per concurrent run or set of options. */
const mostQueries = 256;
const mostPlans = 4;
/** The maximum total number of nodes; a query with more than its share is not cached. */
const mostNodes = 64_000;
const mostOfOne = mostNodes / 32;

/**
 * Cached plans of recent queries, usable by any session: only those that the engine answers, and whose compilation does
 * not depend on the session. A plan serves one run at a time.
 */
const plans = new Map<Query, KeptPlan[]>();
let nodes = 0;

/** How many nodes the queries have whose plans are kept. */
export const nodesOfKeptPlans = (): number => nodes;

/** Takes a plan that is equivalent to compiling for a frame; undefined if there is none. */
export async function takePlan(query: Query, frame: Frame): Promise<KeptPlan | undefined> {
  const kept = plans.get(query);
  if (kept === undefined || !handing.isOn || frame.hasStandIn) return undefined;
  const at = kept.findIndex(({ options }) => sameOptions(options, frame.host.options));
  const [found] = at < 0 ? [] : kept.splice(at, 1);
  nodes -= found?.nodes ?? 0;
  return found !== undefined && (await found.context.serve(frame)) ? found : undefined;
}

/** Caches a plan that has run to completion. */
export function keepPlan(query: Query, used: KeptPlan): void {
  const kept = plans.get(query) ?? [];
  plans.delete(query);
  plans.set(query, kept);
  if (kept.length < mostPlans) {
    kept.push(used);
    nodes += used.nodes;
  }
  used.context.rest();
  for (const [oldest, those] of plans) {
    if (plans.size <= mostQueries && nodes <= mostNodes) return;
    plans.delete(oldest);
    for (const each of those) nodes -= each.nodes;
  }
}

/** A new plan for the next run, if it may be cached. */
export function keepable(query: Query, context: StatementContext, plan: Plan): KeptPlan | undefined {
  if (!plan.isAlone || !handing.isOn || context.awaits) return undefined;
  const counted = steadyNodes(query);
  const options = { ...context.frame.host.options };
  return counted === undefined ? undefined : { context, plan, options, nodes: counted };
}

/** Nodes that compile to the same thing in every session. */
const steady: ReadonlySet<string> = new Set([
  ...['select', 'star', 'value', 'assign', 'table', 'join'],
  ...['literal', 'variable', 'column', 'unary', 'binary', 'cast', 'case', 'collate'],
  ...['comparison', 'between', 'in', 'isNull', 'like', 'and', 'or', 'not'],
]);

/** A constant of this many characters counts as a node. */
const charactersOfANode = 64;

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;

/**
 * The number of nodes of a query that consists of session-independent ones; undefined if there are others, or too many.
 */
function steadyNodes(query: Query): number | undefined {
  let isFit = query.with.length === 0 && query.as === undefined;
  let count = 0;
  walk(query, (node) => {
    // A call is identified by its kind.
    const isAggregate = node.kind === 'call' && aggregateNames.has((node as FunctionCall).name);
    isFit &&= steady.has(node.kind) || (isAggregate && !('over' in node && node.over !== undefined));
    count += 1 + (node.kind === 'literal' ? lengthOf((node as Literal).value) / charactersOfANode : 0);
    isFit &&= count <= mostOfOne;
    return isFit;
  });
  return isFit ? Math.ceil(count) : undefined;
}
