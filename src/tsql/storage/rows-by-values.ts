import type { Turn } from '../../base/threads/turn.ts';
import type { MemoryTable, TableRow } from './memory-table.ts';

/** Rows between two checks of the clock. */
const between = 128;

/** The rows of a table by their values: queries yield these very arrays. */
export async function rowsByValues(table: MemoryTable, turn: Turn): Promise<Map<readonly unknown[], TableRow>> {
  const found = new Map<readonly unknown[], TableRow>();
  for (const row of table.rows()) {
    found.set(row.values, row);
    if (found.size % between === 0 && turn.isOver) await turn.giveWay();
  }
  return found;
}
