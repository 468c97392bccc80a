import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { inTurns } from '../../base/threads/steps.ts';
import type { Turn } from '../../base/threads/turn.ts';
import { walk } from '../../syntax/ast/walk.ts';
import { isLongKey, type KeyValues, keyOf, keySteps } from '../../values/key.ts';
import type { Batches } from './batches.ts';

/** The runtime of a statement: its turn on the event loop, and the memory for the rows that it has to hold. */
export interface Run {
  readonly turn: Turn;
  readonly memory: MemoryBudget;
}

/** Part of a statement's memory, for as long as an operator holds rows. */
export const hold = ({ memory }: Run): MemoryBudget => memory.under(memory.limit);

/** The memory of a slot in a row, and of a value that is an object, besides its characters or bytes. */
const place = 8;
const overhead = 24;

/** The approximate memory of a value. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return place + overhead + value.length * 2;
  if (typeof value !== 'object' || value === null) return place;
  if (value instanceof Uint8Array) return place + 4 * overhead + value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each), place + overhead);
  return place + 2 * overhead;
}

/** The approximate memory of a node of a syntax tree, besides the value of a constant. */
const node = 150;

/** The approximate memory of a syntax tree with its values. */
export function sizeOfTree(tree: unknown): number {
  let bytes = 0;
  walk(tree, (each) => {
    bytes += node + ('value' in each && each.kind === 'literal' ? sizeOf(each.value) : 0);
    return true;
  });
  return bytes;
}

/** Adds a key to those seen, and its size to the memory; false if it was already there. */
export function addKey(seen: Set<string>, key: string, held: Pick<MemoryBudget, 'grow'>): boolean {
  if (seen.has(key)) return false;
  held.grow(sizeOf(key));
  seen.add(key);
  return true;
}

/** The key of values; if one of them is long, others get their turn while it is built. */
export const keyInTurns = (values: KeyValues, turn: Turn): string | Promise<string> =>
  isLongKey(values) ? inTurns(keySteps(values), turn) : keyOf(values);

/** All rows at once, counted in the memory of the holder; others get their turn between batches. */
export async function gathered<T>(
  batches: Batches<T>,
  held: MemoryBudget,
  turn: Turn,
  size: (row: T) => number = sizeOf,
): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) {
    held.grow(batch.reduce((sum, row) => sum + size(row), 0));
    for (const row of batch) all.push(row);
    if (turn.isOver) await turn.giveWay();
  }
  return all;
}
