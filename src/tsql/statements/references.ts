import { toTheEnd } from '../../base/steps.ts';
import type { ReferentialAction } from '../../syntax/ast/table.ts';
import { coerce } from '../evaluate/coerce.ts';
import { noRows } from '../evaluate/compiled.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { emptyScope } from '../query/scope.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import { conflict, enabledReferencesTo, inPlace, keyText, keyTexts, type Reference } from '../storage/references.ts';

type Values = readonly unknown[];

/** What a change of one table's rows does to the rows of others that refer to them. */
class Consequences {
  readonly deleted = new Map<MemoryTable, Set<TableRow>>();
  readonly updated = new Map<MemoryTable, Map<TableRow, Values>>();
  readonly #defaults: ReadonlyMap<MemoryTable, Values>;

  constructor(defaults: ReadonlyMap<MemoryTable, Values>) {
    this.#defaults = defaults;
  }

  /** Rows go: those that refer to them go along, let go, or refuse. */
  delete(table: MemoryTable, rows: readonly TableRow[], statement: string, frame: Frame): void {
    const gone = this.deleted.get(table) ?? new Set();
    const fresh = rows.filter((row) => !gone.has(row));
    for (const row of fresh) gone.add(row);
    this.deleted.set(table, gone);
    if (fresh.length === 0) return;
    for (const reference of enabledReferencesTo(table, frame.host)) {
      const referring = this.#referring(reference, new Map(fresh.map((row) => [row.values, undefined])));
      if (referring.length === 0) continue;
      const { onDelete } = reference.definition;
      if (onDelete === 'no action') throw conflict(statement, 'REFERENCE', reference);
      const children = referring.map(({ row }) => row);
      if (onDelete === 'cascade') this.delete(reference.from, children, statement, frame);
      else {
        const left = table.rows().flatMap((row) => (gone.has(row) ? [] : [row.values]));
        const there = keyTexts(table, reference.referred, left);
        for (const row of children) this.#letGo(reference, row, onDelete, there, statement);
      }
    }
  }

  /** Rows get other keys: those that refer to them follow, let go, or refuse. */
  update(table: MemoryTable, changes: readonly (readonly [TableRow, Values])[], statement: string, frame: Frame): void {
    for (const reference of enabledReferencesTo(table, frame.host)) {
      const text = (values: Values) => keyText(table, reference.referred, values);
      const moved = new Map(
        changes.filter(([row, to]) => text(row.values) !== text(to)).map(([row, to]) => [row.values, to]),
      );
      const kept = new Set(changes.map(([, to]) => text(to)));
      const left = new Map([...moved].filter(([from]) => !kept.has(text(from))));
      const { onUpdate } = reference.definition;
      const referring = this.#referring(reference, onUpdate === 'cascade' ? moved : left);
      if (referring.length === 0) continue;
      if (onUpdate === 'no action') throw conflict(statement, 'REFERENCE', reference);
      const becomes = new Map(changes);
      const after = onUpdate === 'set default' ? table.rows().map((row) => becomes.get(row) ?? row.values) : [];
      const there = keyTexts(table, reference.referred, after);
      for (const { row, to } of referring) {
        if (onUpdate === 'cascade') this.#set(reference, row, (_at, there) => to?.[there]);
        else this.#letGo(reference, row, onUpdate, there, statement);
      }
    }
  }

  /** The rows that refer to changed rows, each with the new values of those. */
  #referring(
    reference: Reference,
    rows: ReadonlyMap<Values, Values | undefined>,
  ): { row: TableRow; to: Values | undefined }[] {
    const { from, to, referred } = reference;
    const wanted = new Map([...rows].map(([values, becomes]) => [keyText(to, referred, values), becomes]));
    const gone = this.deleted.get(from);
    return from.rows().flatMap((row) => {
      const key = keyText(to, referred, inPlace(reference, row.values));
      return key !== undefined && wanted.has(key) && !gone?.has(row) ? { row, to: wanted.get(key) } : [];
    });
  }

  /** SET NULL or SET DEFAULT for a row: 547 if there is no row that the default refers to. */
  #letGo(reference: Reference, row: TableRow, action: ReferentialAction, there: ReadonlySet<string>, by: string): void {
    const { from, to, referred } = reference;
    const byDefault = action === 'set default' ? this.#defaults.get(from) : undefined;
    const values = this.#set(reference, row, (at) => byDefault?.[at] ?? null);
    const key = keyText(to, referred, inPlace(reference, values));
    if (key !== undefined && !there.has(key)) throw conflict(by, 'FOREIGN KEY', reference);
  }

  /** Changes what a row refers to: `value` gives a column's new value by its place and the one it refers to. */
  #set(
    { from, columns, referred }: Reference,
    row: TableRow,
    value: (at: number, there: number) => unknown,
  ): readonly unknown[] {
    const rows = this.updated.get(from) ?? new Map<TableRow, Values>();
    const values = [...(rows.get(row) ?? row.values)];
    columns.forEach((at, index) => {
      values[at] = value(at, referred[index] ?? 0);
    });
    this.updated.set(from, rows.set(row, values));
    return values;
  }
}

const setsDefault = ({ definition }: MemoryTable): boolean =>
  definition?.references.some(({ onDelete, onUpdate }) => [onDelete, onUpdate].includes('set default')) ?? false;

/**
 * What the columns of tables are without a value, for those that ON DELETE or ON UPDATE may set to it when a table
 * changes.
 */
async function defaults(frame: Frame): Promise<ReadonlyMap<MemoryTable, Values>> {
  const found = new Map<MemoryTable, Values>();
  for (const table of frame.host.tempDb.places.flatMap(({ tables }) => [...tables.values()])) {
    if (!setsDefault(table)) continue;
    const context = await StatementContext.of(frame, table.definition);
    found.set(
      table,
      (table.definition?.columns ?? []).map((column) =>
        column.default === undefined
          ? null
          : coerce(context.expression(column.default, emptyScope), column.type, context).evaluate(noRows),
      ),
    );
  }
  return found;
}

async function apply({ deleted, updated }: Consequences, frame: Frame): Promise<void> {
  const { host, signal } = frame;
  for (const table of new Set([...deleted.keys(), ...updated.keys()])) {
    if (host.tempDb.places.some(({ tables }) => [...tables.values()].includes(table)))
      await host.tempDb.lock(table, 'change', host, signal);
  }
  for (const [table, rows] of updated) await toTheEnd(table.update([...rows]));
  for (const [table, rows] of deleted) await toTheEnd(table.delete(rows));
}

/** Deletes rows, and applies ON DELETE to those that refer to them; 547 if there is none. */
export async function deleteRows(table: MemoryTable, rows: readonly TableRow[], frame: Frame): Promise<number> {
  if (enabledReferencesTo(table, frame.host).length === 0) return toTheEnd(table.delete(rows));
  const consequences = new Consequences(await defaults(frame));
  consequences.delete(table, rows, 'DELETE', frame);
  await apply(consequences, frame);
  return rows.length;
}

/** Before rows of a table change: applies ON UPDATE to those that refer to them; 547 if there is none. */
export async function beforeUpdate(
  table: MemoryTable,
  changes: readonly (readonly [TableRow, Values])[],
  frame: Frame,
): Promise<void> {
  if (enabledReferencesTo(table, frame.host).length === 0) return;
  const consequences = new Consequences(await defaults(frame));
  consequences.update(table, changes, 'UPDATE', frame);
  await apply(consequences, frame);
}
