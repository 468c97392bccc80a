import { sqlError } from '../../base/messages/sql-error.ts';
import { inTurns, toTheEnd } from '../../base/threads/steps.ts';
import { convert } from '../../tds/convert/convert.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { isLong } from '../../values/long-value.ts';
import type { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { columnPlace, type MemoryTable, type TableRow } from '../storage/memory-table.ts';
import { RowRules, toColumn, toColumnSteps } from './rows.ts';

/** A value for a column, to be converted or already in its stored form; undefined for the column's default. */
export type Given = { readonly type: AnyType; readonly value: unknown; readonly isKept?: true } | undefined;

const asValue = { implicit: true, expression: true };

/** Inserts rows into one table for one statement; a failure removes the rows that the statement has inserted. */
export class Inserter {
  readonly #frame: Frame;
  readonly #table: MemoryTable;
  readonly #rules: RowRules;
  /** Which column each given value goes to. */
  readonly #columns: readonly number[];
  readonly inserted: TableRow[] = [];
  /** True once a row was left out because a key has it already and ignores that. */
  ignoredDuplicate = false;
  /** BULK INSERT without KEEP_NULLS gives a column's default for NULL. */
  readonly #nullMeansDefault: boolean;
  /** What is too long for its column is refused, whatever ANSI_WARNINGS says, in a bulk load. */
  readonly #verifyLength: boolean | undefined;
  /** True if the statement's text lists the values: columns that fill themselves are then refused. */
  readonly #explicit: boolean;

  constructor(
    table: MemoryTable,
    columns: readonly string[],
    context: StatementContext,
    options: { explicit: boolean; nullMeansDefault?: boolean; verifyLength?: boolean; ignoresChecks?: boolean },
  ) {
    this.#frame = context.frame;
    this.#table = table;
    this.#rules = new RowRules(table, context, options.ignoresChecks);
    this.#columns =
      columns.length > 0 ? columns.map((name) => columnPlace(table.columns, name, 207)) : this.#allColumns();
    this.#nullMeansDefault = options.nullMeansDefault ?? false;
    this.#verifyLength = options.verifyLength;
    this.#explicit = options.explicit;
    const twin = this.#columns.findIndex((place, at) => this.#columns.indexOf(place) < at);
    if (twin >= 0) throw sqlError(264, columns[twin] ?? '');
    const computed = this.#columns.find((place) => this.#rules.isComputed(place));
    if (computed !== undefined) throw sqlError(271, table.columns[computed]?.name ?? '');
    this.#refuseIdentity();
  }

  get width(): number {
    return this.#columns.length;
  }

  /** Without a list, every column that is not filled by itself. */
  #allColumns(): number[] {
    const withIdentity = this.#identityOn;
    return this.#table.columns.flatMap((column, at) =>
      (column.identity !== undefined && !withIdentity) || this.#rules.isComputed(at) ? [] : [at],
    );
  }

  get #identityOn(): boolean {
    return this.#frame.host.state.identityInsert === this.#table.objectId;
  }

  #refuseIdentity(): void {
    const identity = this.#table.columns.findIndex((column) => column.identity !== undefined);
    if (identity < 0 || !this.#explicit) return;
    const isGiven = this.#columns.includes(identity);
    if (isGiven && !this.#identityOn) throw sqlError(544, this.#table.name);
    if (!isGiven && this.#identityOn) throw sqlError(545, this.#table.name);
  }

  /** Inserts one row of values in column order; returns a promise if others get their turn meanwhile. */
  add(given: readonly Given[]): Promise<void> | undefined {
    return given.some((each) => isLong(each?.value)) ? this.#addInTurns(given) : this.#addNow(given);
  }

  async #addInTurns(given: readonly Given[]): Promise<void> {
    const kept: Given[] = [];
    for (const [at, each] of given.entries()) {
      const column = this.#table.columns[this.#columns[at] ?? -1];
      if (each === undefined || column === undefined || column.type.name === 'timestamp' || !isLong(each.value)) {
        kept.push(each);
        continue;
      }
      const steps = toColumnSteps(each.value, each.type, this.#table, column, this.#frame, this.#verifyLength);
      kept.push({ type: column.type, value: await inTurns(steps, this.#frame.turn), isKept: true });
    }
    await this.#addNow(kept);
  }

  #addNow(given: readonly Given[]): Promise<void> | undefined {
    const { tempDb } = this.#frame.host;
    const values = this.#table.columns.map((column, at): unknown => {
      const place = this.#columns.indexOf(at);
      const value = place < 0 ? undefined : given[place];
      if (column.type.name === 'timestamp') {
        if (this.#explicit && (value?.value ?? null) !== null) throw sqlError(273);
        return tempDb.newRowVersion();
      }
      if (value?.isKept) return value.value;
      if (value !== undefined && !(this.#nullMeansDefault && value.value === null && this.#rules.hasDefault(at))) {
        return toColumn(value.value, value.type, this.#table, column, this.#frame, this.#verifyLength);
      }
      if (column.identity !== undefined) return convert(this.#table.nextIdentity(), t.bigint, column.type, asValue);
      return this.#rules.defaultOf(at);
    });
    const finished = this.#rules.finish(values, 'INSERT');
    if (finished instanceof Promise) return finished.then((whole) => this.#put(whole));
    this.#put(finished);
    return undefined;
  }

  #put(values: readonly unknown[]): void {
    const row = this.#table.insert(values);
    if (row === undefined) this.ignoredDuplicate = true;
    else this.inserted.push(row);
    this.#rememberIdentity(values);
  }

  #rememberIdentity(values: readonly unknown[]): void {
    const at = this.#table.columns.findIndex((column) => column.identity !== undefined);
    const value = values[at];
    const type = this.#table.columns[at]?.type;
    if (at < 0 || value === null || value === undefined || type === undefined) return;
    const identity = BigInt(String(convert(value, type, t.bigint, { implicit: false })));
    this.#table.sawIdentity(identity);
    this.#frame.host.state.identity = identity;
  }

  /** Takes the statement's rows out again. */
  async undo(): Promise<void> {
    await toTheEnd(this.#table.delete(this.inserted));
  }
}

/** Something that puts rows into tables, and can take them out again. */
interface Undoable {
  undo(): Promise<void> | undefined;
}

/** Runs a step that inserts rows into tables; if it fails, none of them stays. */
export async function allOrNothing<T>(takers: readonly Undoable[], step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    for (const taker of takers) await taker.undo();
    throw error;
  }
}
