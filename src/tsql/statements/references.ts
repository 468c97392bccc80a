import { inTurns, type Steps, toTheEnd } from '../../base/threads/steps.ts';
import type { ReferentialAction } from '../../syntax/ast/table.ts';
import { coerce } from '../evaluate/coerce.ts';
import { noRows } from '../evaluate/compiled.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { emptyScope } from '../query/scope.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import {
  conflict,
  enabledReferencesTo,
  keyText,
  type Reference,
  referencesOf,
  referringRows,
  refuseOrphans,
} from '../storage/references.ts';
import { StatementUndo } from '../storage/statement-undo.ts';

type Values = readonly unknown[];

/** Values of a row before a change and after it; undefined for a row that is gone. */
type Became = readonly [before: Values, after: Values | undefined];

/** Rows between two checks of the clock. */
const between = 128;

/**
 * What a change of a table's rows does to those that refer to them. Rows are changed first, and then checked: whoever
 * adds rows that refer to them meanwhile does the same, so that one of the two sees the other's.
 */
export class Consequences {
  readonly #frame: Frame;
  readonly #statement: string;
  readonly #undo: StatementUndo;
  /** The tables whose keys are changing. */
  readonly #changing = new Set<MemoryTable>();

  constructor(frame: Frame, statement: string, undo: StatementUndo) {
    this.#frame = frame;
    this.#statement = statement;
    this.#undo = undo;
  }

  /** Deletes rows: those that refer to them go along, let go, or refuse. */
  async delete(table: MemoryTable, rows: readonly TableRow[]): Promise<number> {
    this.#undo.covers(table);
    const gone = rows.filter((row) => table.has(row));
    const count = await toTheEnd(table.delete(gone));
    await this.deleted(table, gone);
    return count;
  }

  /** The same for rows that were deleted. */
  async deleted(table: MemoryTable, rows: readonly TableRow[]): Promise<void> {
    if (rows.length === 0) return;
    const gone = rows.map(({ values }): Became => [values, undefined]);
    for (const reference of enabledReferencesTo(table, this.#frame.host)) {
      const { onDelete } = reference.definition;
      const referring = await this.#referring(reference, gone, onDelete);
      if (referring.length === 0) continue;
      if (onDelete !== 'cascade') await this.#letGo(reference, referring, onDelete);
      else
        await this.delete(
          reference.from,
          referring.map(([row]) => row),
        );
    }
  }

  /** Gives rows other values: those that refer to their keys follow, let go, or refuse. */
  async update(table: MemoryTable, changes: readonly (readonly [TableRow, Values])[]): Promise<void> {
    this.#undo.covers(table);
    const became = changes.map(([row, after]): Became => [row.values, after]);
    await toTheEnd(table.update(changes));
    await this.updated(table, became);
    const rows = changes.map(([row]) => row);
    await this.#inTurns(refuseOrphans(table, rows, this.#statement, this.#frame.host));
  }

  /** The same for rows that were given other values. */
  async updated(table: MemoryTable, became: readonly Became[]): Promise<void> {
    // Keys that go round in a circle follow each other once.
    if (became.length === 0 || this.#changing.has(table)) return;
    this.#changing.add(table);
    for (const reference of enabledReferencesTo(table, this.#frame.host)) {
      const { onUpdate } = reference.definition;
      const referring = await this.#referring(reference, became, onUpdate);
      if (referring.length === 0) continue;
      if (onUpdate === 'cascade') await this.#set(reference, referring, (_at, there, after) => after?.[there]);
      else await this.#letGo(reference, referring, onUpdate);
    }
    this.#changing.delete(table);
  }

  /** The rows that an action is about, in a table that the statement has for itself; 547 if the action is none. */
  async #referring(reference: Reference, became: readonly Became[], action: ReferentialAction): Promise<Referring> {
    const { host, signal } = this.#frame;
    const find = () => this.#inTurns(referringTo(reference, became, action === 'cascade'));
    const found = await find();
    if (found.length === 0) return found;
    if (action === 'no action') throw conflict(this.#statement, 'REFERENCE', reference);
    if (this.#undo.has(reference.from)) return found;
    await host.tempDb.lock(reference.from, 'change', host, signal);
    // Whoever had it may have changed them.
    return find();
  }

  /** SET NULL or SET DEFAULT for rows. */
  async #letGo(reference: Reference, referring: Referring, action: ReferentialAction): Promise<void> {
    const values = action === 'set default' ? await defaultsOf(reference.from, this.#frame) : [];
    await this.#set(reference, referring, (at) => values[at] ?? null);
  }

  /** Changes what rows refer to: `value` gives a column's new value by its place and the one it refers to. */
  async #set(reference: Reference, referring: Referring, value: NewValue): Promise<void> {
    await this.update(reference.from, await this.#inTurns(changesOf(reference, referring, value)));
  }

  #inTurns<T>(work: Steps<T>): Promise<T> {
    return inTurns(work, this.#frame.turn);
  }
}

/** Rows that refer to keys, each with what became of the row with its key. */
type Referring = readonly (readonly [TableRow, Became])[];

/** The new value of a column by its place, that of the column it refers to, and what the row referred to has become. */
type NewValue = (at: number, there: number, after: Values | undefined) => unknown;

function* changesOf(
  { columns, referred }: Reference,
  referring: Referring,
  value: NewValue,
): Steps<[TableRow, Values][]> {
  const changes: [TableRow, Values][] = [];
  for (const [row, [, after]] of referring) {
    const values = [...row.values];
    columns.forEach((at, index) => {
      values[at] = value(at, referred[index] ?? 0, after);
    });
    changes.push([row, values]);
    if (changes.length % between === 0) yield;
  }
  return changes;
}

/** The rows that refer to keys which are gone, or, if they follow them, have changed. */
function* referringTo(reference: Reference, became: readonly Became[], follow: boolean): Steps<Referring> {
  const { to, referred } = reference;
  const isThere = to.finder(referred);
  const keys = new Map<string, Became>();
  for (const [at, each] of became.entries()) {
    if ((at + 1) % between === 0) yield;
    const [before, after] = each;
    const key = keyText(to, referred, before);
    if (key === undefined || (after !== undefined && key === keyText(to, referred, after))) continue;
    if (follow || !isThere(before)) keys.set(key, each);
  }
  return yield* referringRows(reference, keys);
}

/** What the columns of a table are without a value. */
async function defaultsOf({ definition }: MemoryTable, frame: Frame): Promise<Values> {
  const context = await StatementContext.of(frame, definition);
  return (definition?.columns ?? []).map((column) =>
    column.default === undefined
      ? null
      : coerce(context.expression(column.default, emptyScope), column.type, context).evaluate(noRows),
  );
}

/** Deletes rows, and applies ON DELETE to those that refer to them; 547 if there is none. */
export async function deleteRows(table: MemoryTable, rows: readonly TableRow[], frame: Frame): Promise<number> {
  if (enabledReferencesTo(table, frame.host).length === 0) return toTheEnd(table.delete(rows));
  return StatementUndo.around((undo) => new Consequences(frame, 'DELETE', undo).delete(table, rows));
}

/**
 * Gives rows other values, and applies ON UPDATE to those that refer to them; 547 if there is none. `verify` refuses
 * what the rows have become.
 */
export async function updateRows(
  table: MemoryTable,
  changes: readonly (readonly [TableRow, Values])[],
  frame: Frame,
  verify: (rows: readonly TableRow[]) => Promise<void>,
): Promise<void> {
  const rows = changes.map(([row]) => row);
  await StatementUndo.around(async (undo) => {
    await new Consequences(frame, 'UPDATE', undo).update(table, changes);
    await verify(rows);
  });
}

/** Refuses rows of a rebuilt table that refer to missing rows, which nobody deletes until the table is exchanged. */
export async function verifyReferences(copy: MemoryTable, frame: Frame): Promise<void> {
  const { host, signal, turn } = frame;
  for (const { to } of referencesOf(copy, host)) {
    if (to !== copy) await host.tempDb.lock(to, 'change', host, signal);
  }
  await inTurns(refuseOrphans(copy, copy.rows(), 'ALTER TABLE', host), turn);
}
