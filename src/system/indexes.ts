import type { TableKey } from '../procedure/tsql-view.ts';
import type { CatalogRelation } from './catalog.ts';

/** An index of a table as the catalog numbers it: the clustered one is 1, a heap 0, all others follow from 2 on. */
export interface CatalogIndex {
  readonly id: number;
  /** Absent for a heap. */
  readonly key?: TableKey;
}

/** A primary key is clustered by default, which makes no difference in memory. */
export const isClustered = ({ id }: CatalogIndex): boolean => id === 1;

/** The indexes of a table, the one that holds the rows first. */
export function indexesOf({ type, keys }: CatalogRelation): CatalogIndex[] {
  if (type !== 'table') return [];
  const primary = keys.find(({ kind }) => kind === 'PRIMARY KEY');
  const others = keys.filter((key) => key !== primary);
  return [
    primary === undefined ? { id: 0 } : { id: 1, key: primary },
    ...others.map((key, at) => ({ id: at + 2, key })),
  ];
}
