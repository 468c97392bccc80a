import { sqlError } from '../../base/messages/sql-error.ts';
import type { Bindable } from '../../base/stored.ts';
import { fold } from '../../base/text/collation.ts';
import { columnsOf } from '../../procedure/relations/columns-of.ts';
import { theMoment } from '../../procedure/relations/relation.ts';
import { columnOf } from '../../procedure/relations/select-relation.ts';
import type { Column } from '../../procedure/run/sink.ts';
import type { RawRows } from '../../tds/types/raw-rows.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Frame } from '../frame.ts';
import { fitted } from '../statements/rows.ts';
import { type RawCell, RawLoad, rawForm } from './raw-load.ts';
import type { StoredTarget } from './target.ts';

type Cell = (value: unknown) => Bindable;

/** How the rows of a bulk load become rows of a relation's table. */
export class RowMaker {
  /** The columns of the table that they fill. */
  readonly columns: readonly string[];
  /** Which value of a row of the load each of them is made of; -1 for none. */
  readonly #sources: Int32Array;
  readonly #cells: readonly Cell[];
  /** 1 for a column whose values are kept as they come, NULL too. */
  readonly #plain: Uint8Array;
  /** A copy of it is faster than an array that grows. */
  readonly #blank: Bindable[];
  /** How columns are filled from the wire: those that can be. */
  readonly #raw: readonly RawCell[];

  /** `given` are the columns of the load, by the relation's names and in the load's types. */
  constructor(target: StoredTarget, given: readonly Column[], nullMeansDefault: boolean, frame: Frame) {
    const { relation, database } = target;
    const table = `${database}.${relation.schema}.${relation.name}`;
    const made = columnsOf(relation.columns).flatMap(({ name, type, nullable }) => {
      const { column = name, keyColumn, identity, byDefault = null } = columnOf(relation, name);
      // A client's value for a column that the engine numbers is ignored, unless it may set it.
      if (identity) return [];
      const at = given.findIndex((each) => fold(each.name) === fold(name));
      const from = given[at]?.type;
      const otherwise = byDefault === theMoment ? frame.host.clock.now() : byDefault;
      const isFilled = from === undefined || (nullMeansDefault && otherwise !== null);
      const whenNull = (): unknown => {
        const value = isFilled ? otherwise : null;
        if (value === null && !nullable) throw sqlError(515, name, table, 'INSERT');
        return value;
      };
      const take = from === undefined ? whenNull : taker(from, { name, type }, table, frame);
      const value: Cell = (of) => stored(of === null || of === undefined ? whenNull() : take(of), type);
      const isPlain = from !== undefined && nullable && !isFilled && isKeptAsItComes(from, type);
      const form = (isKey: boolean) => (from === undefined ? undefined : rawForm(from, type, isKey));
      const keepsNull = nullable && (!isFilled || otherwise === null);
      const longest = type.maxLength < 0 ? Number.POSITIVE_INFINITY : type.maxLength;
      if (keyColumn === undefined) return [{ column, at, cell: value, isPlain, form: form(false), longest, keepsNull }];
      const key: Cell = (of) => {
        const text = of === null || of === undefined ? whenNull() : take(of);
        return text === null ? null : fold(String(text));
      };
      return [
        { column, at, cell: value, isPlain, form: form(false), longest, keepsNull },
        { column: keyColumn, at, cell: key, isPlain: false, form: form(true), longest, keepsNull },
      ];
    });
    this.columns = made.map(({ column }) => column);
    this.#sources = Int32Array.from(made, ({ at }) => at);
    this.#cells = made.map(({ cell }) => cell);
    this.#blank = made.map(() => null);
    this.#plain = Uint8Array.from(made, ({ isPlain }) => (isPlain ? 1 : 0));
    // Columns that the load omits have the same value in every row, whatever the form.
    this.#raw = made.flatMap(({ at, cell, longest, keepsNull, form = at < 0 ? 0 : undefined }) =>
      form === undefined ? [] : [{ at, form, longest, keepsNull, make: cell }],
    );
  }

  /** True if its rows can be stored from their wire format: every column gets values of its own type. */
  get takesRaw(): boolean {
    return this.#raw.length === this.columns.length;
  }

  /** Rows as they lie on the wire, on their way into the table. */
  raw(rows: RawRows): RawLoad {
    return new RawLoad(rows, this.#raw);
  }

  /** A row as the table takes it: 515 for a NULL that it does not, 2628 or 8152 for what is too long. */
  row(values: readonly unknown[]): Bindable[] {
    const sources = this.#sources;
    const cells = this.#cells;
    const plain = this.#plain;
    const row = this.#blank.slice();
    for (let index = 0; index < cells.length; index++) {
      const at = sources[index] ?? -1;
      const value = at < 0 ? null : values[at];
      // What the load's type reads is what such a column keeps.
      row[index] = plain[index] === 1 ? (value as Bindable) : (cells[index]?.(value) ?? null);
    }
    return row;
  }
}

const asTheyCome = new Set(['int', 'smallint', 'tinyint', 'bigint', 'nvarchar', 'varbinary']);

const isKeptAsItComes = (from: AnyType, to: AnyType): boolean =>
  from.declaration === to.declaration && from.collation === to.collation && asTheyCome.has(to.name);

/** The bound form of a value. Most are bound unchanged. */
function stored(value: unknown, type: AnyType): Bindable {
  if (typeof value === 'string' || typeof value === 'number' || value === null) {
    if (type.name !== 'decimal' && type.name !== 'numeric') return value;
  }
  return type.toStore(value);
}

/** Turns a value that is not NULL into one of the column's type. */
function taker(
  from: AnyType,
  column: { readonly name: string; readonly type: AnyType },
  table: string,
  frame: Frame,
): (value: unknown) => unknown {
  const { type } = column;
  const converted = (value: unknown): unknown => fitted(value, from, column, () => table, frame, true);
  if (from.name !== type.name) return converted;
  if (from.declaration === type.declaration && from.collation === type.collation) return (value) => value;
  if (type.name !== 'nvarchar' && type.name !== 'varbinary') return converted;
  // Only the length can differ: a value that fits needs no conversion.
  const limit = type.maxLength < 0 ? Number.POSITIVE_INFINITY : type.maxLength / (type.name === 'nvarchar' ? 2 : 1);
  return (value) =>
    (typeof value === 'string' || value instanceof Uint8Array) && value.length <= limit ? value : converted(value);
}
