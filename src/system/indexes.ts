import { type NumberedIndex, numberedIndexes } from '../procedure/relations/numbered-indexes.ts';
import type { CatalogRelation } from './catalog.ts';

/** The indexes of a table, the one that holds the rows first; a view has none. */
export const indexesOf = ({ type, keys }: CatalogRelation): NumberedIndex[] =>
  type === 'table' ? numberedIndexes(keys) : [];
