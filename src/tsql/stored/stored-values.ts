import type { Bindable } from '../../base/stored.ts';
import { fold } from '../../base/text/collation.ts';
import { columnsOf } from '../../procedure/relations/columns-of.ts';
import { columnOf } from '../../procedure/relations/select-relation.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { StoredTarget } from './target.ts';

interface StoredPlace {
  readonly column: string;
  /** Where the value is among those of a row of the relation. */
  readonly at: number;
  readonly type: AnyType;
  readonly isKey: boolean;
}

/** Which columns of the table a row of a relation goes to, and as what. */
export class StoredValues {
  readonly columns: readonly string[];
  readonly #places: readonly StoredPlace[];

  /** `numbered` is whether a column that the engine numbers is among them. */
  constructor({ relation }: StoredTarget, numbered: boolean) {
    this.#places = columnsOf(relation.columns).flatMap(({ name, type }, at): StoredPlace[] => {
      const { column = name, keyColumn, identity } = columnOf(relation, name);
      if (identity && !numbered) return [];
      const value = { column, at, type, isKey: false };
      return keyColumn === undefined ? [value] : [value, { column: keyColumn, at, type, isKey: true }];
    });
    this.columns = this.#places.map(({ column }) => column);
  }

  /** What is kept of a row of the relation. */
  of(row: readonly unknown[]): Bindable[] {
    return this.#places.map(({ at, type, isKey }) => {
      const value = row[at] ?? null;
      if (value === null) return null;
      return isKey ? fold(String(value)) : type.toStore(value);
    });
  }
}
