import type { Work } from '../../engine/db.ts';
import type { MemoryRelation } from '../../procedure/relation.ts';
import type { SystemCall } from '../../procedure/system-call.ts';

/** A table or view of the host inside a statement: looked up before, read while the statement runs. */
export interface Leaf {
  /** The database it is in; undefined for the current one. */
  readonly database: string | undefined;
  /** What reads it, while the statement runs. */
  call: SystemCall | undefined;
  /** What the engine may have to do for the next row of it. */
  readonly work?: Work;
}

/** One whose rows are worked out. */
export interface WorkedOut extends Leaf {
  readonly relation: MemoryRelation;
  readonly columns: readonly string[];
}
