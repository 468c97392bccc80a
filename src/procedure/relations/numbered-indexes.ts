import type { TableKey } from './tsql-view.ts';

/** An index of a table as the catalog numbers it: the clustered one is 1, a heap 0, all others follow from 2 on. */
export interface NumberedIndex {
  readonly id: number;
  /** Absent for a heap. */
  readonly key?: TableKey;
}

/** The indexes of a table, the one that holds the rows first. */
export function numberedIndexes(keys: readonly TableKey[]): NumberedIndex[] {
  const clustered = keys.find(({ isClustered }) => isClustered);
  const others = keys.filter((key) => key !== clustered);
  return [
    clustered === undefined ? { id: 0 } : { id: 1, key: clustered },
    ...others.map((key, at) => ({ id: at + 2, key })),
  ];
}
