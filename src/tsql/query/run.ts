import type { MemoryBudget } from '../../base/memory-budget.ts';
import type { Turn } from '../../base/turn.ts';
import type { Batches } from './batches.ts';

/** What a statement runs with: its turn on the event loop, and the memory for the rows that it has to hold. */
export interface Run {
  readonly turn: Turn;
  readonly memory: MemoryBudget;
}

/** Part of a statement's memory, for as long as an operator holds rows. */
export const hold = ({ memory }: Run): MemoryBudget => memory.under(memory.limit);

/** What a row or a value takes besides its characters or bytes. */
const overhead = 32;

/** What a value takes in memory, about. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return overhead + value.length * 2;
  if (value instanceof Uint8Array) return overhead + value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each), overhead);
  return overhead;
}

/** All rows at once, counted in the memory of whoever holds them. */
export async function gathered<T>(
  batches: Batches<T>,
  held: MemoryBudget,
  size: (row: T) => number = sizeOf,
): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) {
    held.grow(batch.reduce((sum, row) => sum + size(row), 0));
    for (const row of batch) all.push(row);
  }
  return all;
}
