/** A row limit as SQL takes it: NULL sets none, and a number below 1 leaves no row. */
export const rowLimit = (rows: number | null): number => (rows === null ? Number.MAX_SAFE_INTEGER : Math.max(rows, 0));

/** The index of a first row, counted from 0: NULL and numbers below 0 mean the first. */
export const firstRow = (row: number | null): number => Math.max(row ?? 0, 0);
