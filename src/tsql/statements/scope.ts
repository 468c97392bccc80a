import type { SqlError } from '../../base/sql-error.ts';

/** Errors found when a statement is compiled: they end the batch, text or procedure that it stands in, and undo nothing. */
const scopeEnding = new Set([137, 195, 206, 207, 208, 209, 257, 402, 529, 1087, 4104, 8117, 8120, 8133]);

/** Errors that came out of the batch, text or procedure that they happened in. */
const crossed = new WeakSet<SqlError>();

/** Says that an error leaves the scope it happened in: from there on it can be caught like any other. */
export function leaveScope(error: SqlError): void {
  crossed.add(error);
}

/** True for an error that ends the scope it happened in, and that no CATCH of that scope sees. */
export const endsScope = (error: SqlError): boolean => scopeEnding.has(error.number) && !crossed.has(error);
