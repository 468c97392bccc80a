import type { Bindable } from '../../base/stored.ts';
import type { GivenRows, RowTaker } from '../../engine/db.ts';
import type { RawRows } from '../../tds/types/raw-rows.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';

/** How a column of a table is filled from values as they lie on the wire. */
export interface RawCell {
  /** Which value of a row it is made of; -1 for none. */
  readonly at: number;
  readonly form: RawForm;
  /** Bytes that the column takes at most. */
  readonly longest: number;
  /** True if NULL fills it with NULL. */
  readonly keepsNull: boolean;
  /** Makes the value of one that is NULL or too long, or refuses it. */
  make(value: unknown): Bindable;
}

const forms = { int: 0, smallint: 1, tinyint: 2, bigint: 3, varbinary: 4, nvarchar: 5, key: 6 } as const;
type RawForm = (typeof forms)[keyof typeof forms];

/** How values of a type fill a column of the same type, or its key; undefined if they cannot. */
export function rawForm(from: AnyType, to: AnyType, isKey: boolean): RawForm | undefined {
  if (from.name !== to.name || !Object.hasOwn(forms, from.name)) return undefined;
  return isKey ? forms.key : forms[from.name as keyof typeof forms]; // it is one of them
}

/** Rows of a bulk load that go into the engine as they lie on the wire. */
export class RawLoad implements GivenRows {
  readonly #rows: RawRows;
  readonly #cells: readonly RawCell[];

  constructor(rows: RawRows, cells: readonly RawCell[]) {
    this.#rows = rows;
    this.#cells = cells;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** The bytes that they take. */
  get size(): number {
    return this.#rows.bytes.length;
  }

  /** The same in bytes of their own. */
  kept(): RawLoad {
    return new RawLoad(this.#rows.kept(), this.#cells);
  }

  give(taker: RowTaker): void {
    const { bytes, places, columns, length } = this.#rows;
    const cells = this.#cells;
    for (let row = 0; row < length; row++) {
      taker.row();
      for (let index = 0; index < cells.length; index++) {
        const cell = cells[index] as RawCell; // it is there
        const place = (row * columns + cell.at) * 2;
        const start = cell.at < 0 ? -1 : (places[place] ?? -1);
        if (start < 0) taker.value(cell.keepsNull ? null : cell.make(null));
        else giveValue(taker, cell, bytes, start, start + (places[place + 1] ?? 0));
      }
    }
  }
}

function giveValue(taker: RowTaker, cell: RawCell, bytes: Buffer, start: number, end: number): void {
  if (end - start > cell.longest) {
    taker.value(
      cell.make(cell.form === forms.varbinary ? bytes.subarray(start, end) : bytes.toString('utf16le', start, end)),
    );
    return;
  }
  switch (cell.form) {
    case forms.int:
      taker.integer(bytes.readInt32LE(start));
      break;
    case forms.smallint:
      taker.integer(bytes.readInt16LE(start));
      break;
    case forms.tinyint:
      taker.integer(bytes.readUInt8(start));
      break;
    case forms.bigint:
      taker.bigint(bytes, start);
      break;
    case forms.varbinary:
      taker.value(bytes.subarray(start, end));
      break;
    case forms.nvarchar:
      taker.utf16(bytes, start, end);
      break;
    case forms.key:
      taker.folded(bytes, start, end);
      break;
  }
}
