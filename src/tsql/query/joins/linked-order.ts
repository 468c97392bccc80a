import type { Condition } from '../../../syntax/ast/expression.ts';
import type { SelectScope } from '../scope.ts';
import type { FromNode } from './from.ts';
import { indexesOf, joinsOf } from './from-tree.ts';

/** The parts that commas and CROSS JOIN combine. */
function factorsOf(node: FromNode, factors: FromNode[] = []): FromNode[] {
  if (node.kind === 'join' && node.type === 'cross') return factorsOf(node.right, factorsOf(node.left, factors));
  factors.push(node);
  return factors;
}

/**
 * How many of the parts, in this order, no equality links to an earlier one: each multiplies the rows so far by its
 * own.
 */
function products(order: readonly number[], links: readonly ReadonlySet<number>[]): number {
  const before = new Set<number>();
  let count = -1; // the first part has nothing before it, and multiplies nothing
  for (const part of order) {
    if (links[part]?.isDisjointFrom(before)) count++;
    before.add(part);
  }
  return count;
}

/**
 * Starts with the part that has the most links, and continues with one that is linked to an earlier part, if any is.
 */
function inLinks(links: readonly ReadonlySet<number>[]): readonly number[] {
  const left = new Set(links.keys());
  // Those of them that are linked to an earlier part.
  const linked = new Set<number>();
  const order: number[] = [];
  const most = Math.max(...links.map(({ size }) => size));
  let next: number | undefined = links.findIndex(({ size }) => size === most);
  while (next !== undefined) {
    order.push(next);
    left.delete(next);
    linked.delete(next);
    for (const other of links[next] ?? []) if (left.has(other)) linked.add(other);
    next = linked.size > 0 ? Math.min(...linked) : left.values().next().value;
  }
  return order;
}

/**
 * Reorders FROM so that equalities of WHERE link its parts: `a, b, c where a.x = c.x and b.y = c.y` must not first make
 * every pair of rows of a and b. Unchanged if that would make no difference.
 */
export function linkedOrder(tree: FromNode, where: readonly Condition[], scope: SelectScope): FromNode {
  const parts = factorsOf(tree);
  // The right side of APPLY sees what is on its left, and must stay there.
  if (parts.length < 3 || joinsOf(tree).some(({ type }) => type.endsWith('apply'))) return tree;
  const partOf = new Map(parts.flatMap((part, at) => indexesOf(part).map((source) => [source, at] as const)));
  const links = parts.map(() => new Set<number>());
  for (const each of where) {
    if (each.kind !== 'comparison' || each.operator !== '=') continue;
    if (each.left.kind !== 'column' || each.right.kind !== 'column') continue;
    const [a, b] = [each.left, each.right].map(({ parts: name }) => partOf.get(scope.find(name)?.source ?? -1));
    if (a === undefined || b === undefined || a === b) continue;
    links[a]?.add(b);
    links[b]?.add(a);
  }
  const written = [...parts.keys()];
  const order = inLinks(links);
  if (products(order, links) >= products(written, links)) return tree;
  const [first, ...rest] = order.flatMap((at) => parts[at] ?? []);
  return rest.reduce<FromNode>((left, right) => ({ kind: 'join', type: 'cross', left, right }), first ?? tree);
}
