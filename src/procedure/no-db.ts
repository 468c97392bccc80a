import type { Db } from '../engine/db.ts';

const refuse = (): never => {
  throw new Error("a procedure with access 'none' has no database");
};

/** What stands in for a database in the calls of procedures that need none. */
export const noDb: Db = { rows: refuse, all: refuse, first: refuse, run: refuse, insert: refuse };
