import { SqlError } from '../../base/sql-error.ts';

/** What work comes to; undefined where it ends in an error that T-SQL knows. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}
