import type { Condition } from '../../syntax/ast/expression.ts';
import type { FromNode } from './from.ts';
import { indexesOf, joinsOf } from './join.ts';
import type { SelectScope } from './scope.ts';

/** The parts that commas and CROSS JOIN combine. */
const factorsOf = (node: FromNode): readonly FromNode[] =>
  node.kind === 'join' && node.type === 'cross' ? [...factorsOf(node.left), ...factorsOf(node.right)] : [node];

/**
 * How many of the parts, in this order, no equality links to an earlier one: each multiplies the rows so far by its
 * own.
 */
const products = (order: readonly number[], links: readonly ReadonlySet<number>[]): number =>
  order.filter((part, at) => at > 0 && !order.slice(0, at).some((before) => links[part]?.has(before))).length;

/**
 * Starts with the part that has the most links, and continues with one that is linked to an earlier part, if any is.
 */
function inLinks(links: readonly ReadonlySet<number>[]): readonly number[] {
  const left = new Set(links.keys());
  const order: number[] = [];
  const most = Math.max(...links.map(({ size }) => size));
  let next: number | undefined = links.findIndex(({ size }) => size === most);
  while (next !== undefined) {
    order.push(next);
    left.delete(next);
    const linked = [...left].find((part) => order.some((before) => links[part]?.has(before)));
    next = linked ?? [...left][0];
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
