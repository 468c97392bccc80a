import type { FromNode } from './from.ts';

type Join = Extract<FromNode, { kind: 'join' }>;

/** The joins of a FROM, the outermost first; one list takes them all, as there may be hundreds. */
export function joinsOf(tree: FromNode, joins: Join[] = []): Join[] {
  if (tree.kind === 'source') return joins;
  joins.push(tree);
  return joinsOf(tree.right, joinsOf(tree.left, joins));
}

/** The indexes of the sources of a part of FROM. */
export function indexesOf(tree: FromNode, indexes: number[] = []): number[] {
  if (tree.kind === 'join') return indexesOf(tree.right, indexesOf(tree.left, indexes));
  indexes.push(tree.source.index);
  return indexes;
}
