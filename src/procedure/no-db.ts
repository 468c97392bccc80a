import type { Db } from '../engine/db.ts';

const refuse = (): never => {
  throw new Error('there is no database outside of a transaction');
};

/** What stands in for a database in the calls of procedures that need none, and before a transaction begins. */
export const noDb: Db = {
  rows: refuse,
  batches: refuse,
  all: refuse,
  first: refuse,
  run: refuse,
  runAll: refuse,
  insert: refuse,
  load: refuse,
  truncate: refuse,
};
