import type { FunctionCall, Literal } from '../../syntax/ast/expression.ts';
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
  /** The nodes of the query, long constants counted as several: what a plan of it holds grows with them. */
  readonly nodes: number;
}

/** How many queries have plans, and how many plans each: as many as run at the same moment, or under other options. */
const mostQueries = 256;
const mostPlans = 4;
/** How many nodes all that are kept have together; one with more than its share of them is not kept. */
const mostNodes = 64_000;
const mostOfOne = mostNodes / 32;

/**
 * Plans of recent queries, for any session to run them again: only those that the engine answers, and that are made of
 * nothing that knows its session when it is compiled. A plan serves one run at a time.
 */
const plans = new Map<Query, KeptPlan[]>();
let nodes = 0;

/** How many nodes the queries have whose plans are kept. */
export const nodesOfKeptPlans = (): number => nodes;

/** Takes a plan that serves a frame as one that is compiled for it would; undefined where there is none. */
export async function takePlan(query: Query, frame: Frame): Promise<KeptPlan | undefined> {
  const kept = plans.get(query);
  if (kept === undefined || !handing.isOn || frame.standIn !== undefined) return undefined;
  const at = kept.findIndex(({ options }) => sameOptions(options, frame.host.options));
  const [found] = at < 0 ? [] : kept.splice(at, 1);
  nodes -= found?.nodes ?? 0;
  return found !== undefined && (await found.context.serve(frame)) ? found : undefined;
}

/** Keeps a plan that has run to its end. */
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

/** A new plan for the next run, where it may have one. */
export function keepable(query: Query, context: StatementContext, plan: Plan): KeptPlan | undefined {
  if (!plan.isAlone || !handing.isOn || context.awaits) return undefined;
  const counted = steadyNodes(query);
  const options = { ...context.frame.host.options };
  return counted === undefined ? undefined : { context, plan, options, nodes: counted };
}

/** What compiles to the same thing in every session. */
const steady: ReadonlySet<string> = new Set([
  ...['select', 'star', 'value', 'assign', 'table', 'join'],
  ...['literal', 'variable', 'column', 'unary', 'binary', 'cast', 'case', 'collate'],
  ...['comparison', 'between', 'in', 'isNull', 'like', 'and', 'or', 'not'],
]);

/** A constant of so many characters holds what a node holds. */
const charactersOfANode = 64;

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;

/** How many nodes a query has that is made of steady ones; undefined where others are in it, or too many. */
function steadyNodes(query: Query): number | undefined {
  let isFit = query.with.length === 0 && query.as === undefined;
  let count = 0;
  walk(query, (node) => {
    // A call is told by its kind.
    const isAggregate = node.kind === 'call' && aggregateNames.has((node as FunctionCall).name);
    isFit &&= steady.has(node.kind) || (isAggregate && !('over' in node && node.over !== undefined));
    count += 1 + (node.kind === 'literal' ? lengthOf((node as Literal).value) / charactersOfANode : 0);
    isFit &&= count <= mostOfOne;
    return isFit;
  });
  return isFit ? Math.ceil(count) : undefined;
}
