import type { Work } from '../../../engine/db.ts';
import type { StoredRelation } from '../../../procedure/relations/relation.ts';
import type { SystemCall } from '../../../procedure/system-call.ts';
import type { EngineCondition } from './engine-condition.ts';

/** A relation whose rows are in the database, as a source of a FROM. */
export class StoredSource {
  readonly relation: StoredRelation;
  /** The database it is in; undefined for the current one. */
  readonly database: string | undefined;
  /** Its place in FROM. */
  index = 0;
  /** What reads it, while the statement runs. */
  call: SystemCall | undefined;
  /** What the engine may have to do for the next row of it. */
  work: Work = 'linear';
  /** True when what is asked leaves one row of it at most. */
  isOneRow = false;
  /** The conditions that the engine applies beforehand, if it reads this source alone. */
  readonly filters: EngineCondition[] = [];
  readonly #names: readonly string[];
  /** The places in a row of the columns that the query uses, by their places in the relation. */
  readonly #slots = new Map<number, number>();

  constructor(relation: StoredRelation, database: string | undefined, names: readonly string[]) {
    this.relation = relation;
    this.database = database;
    this.#names = names;
  }

  /** The place of a column in a row: only columns that are used have one. */
  slot(column: number): number {
    let slot = this.#slots.get(column);
    if (slot === undefined) {
      slot = this.#slots.size;
      this.#slots.set(column, slot);
    }
    return slot;
  }

  /** The columns that are used, in the order of their places. */
  get used(): readonly string[] {
    return [...this.#slots.keys()].map((at) => this.#names[at] ?? '');
  }
}
