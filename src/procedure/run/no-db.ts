import type { Db } from '../../engine/db.ts';

const refuse = (): never => {
  throw new Error('there is no database outside of a transaction');
};

/** The database of calls that need none, and of calls whose transaction has not begun. */
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
