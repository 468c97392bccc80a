import type { Relation } from '../../procedure/relation.ts';
import type { SystemCall } from '../../procedure/system-call.ts';

/** A table or view of the host inside a statement: looked up before, read while the statement runs. */
export interface Leaf {
  readonly relation: Relation;
  /** The database it is in; undefined for the current one. */
  readonly database: string | undefined;
  readonly columns: readonly string[];
  /** What reads it, while the statement runs. */
  call: SystemCall | undefined;
}
