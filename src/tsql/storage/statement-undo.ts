import { toTheEnd } from '../../base/threads/steps.ts';
import type { MemoryTable } from './memory-table.ts';
import { UndoLog } from './undo-log.ts';

/** What one statement changes in several tables, which is undone as a whole if it fails. */
export class StatementUndo {
  readonly #log = new UndoLog();
  /** Where the tables recorded their changes before. */
  readonly #around = new Map<MemoryTable, UndoLog | undefined>();

  private constructor() {
    this.#log.begin();
  }

  /** Runs changes of tables that they tell it of. */
  static async around<T>(changes: (undo: StatementUndo) => Promise<T>): Promise<T> {
    const undo = new StatementUndo();
    try {
      return await changes(undo);
    } catch (error) {
      await toTheEnd(undo.#log.rollback());
      throw error;
    } finally {
      undo.#handOver();
    }
  }

  /** True for a table whose changes belong to the statement. */
  has(table: MemoryTable): boolean {
    return this.#around.has(table);
  }

  /** From here on changes of the table belong to the statement; it is locked if others see it. */
  covers(table: MemoryTable): void {
    if (this.#around.has(table)) return;
    this.#around.set(table, table.undo);
    table.undo = this.#log;
  }

  /** What is left can be undone with the transaction. Table variables, which it does not undo, are changed alone. */
  #handOver(): void {
    const [around] = this.#around.values();
    for (const [table, undo] of this.#around) table.undo = undo;
    if (around === undefined) this.#log.clear();
    else around.adopt(this.#log);
  }
}
