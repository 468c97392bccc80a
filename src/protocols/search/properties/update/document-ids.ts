import { type Fragment, list } from '../../../../engine/sql.ts';

/** The documents of some records, each once, as a list for `in`. */
export const documentsOf = (...records: readonly (readonly { readonly DocId: number }[])[]): Fragment =>
  list('bigint', [...new Set(records.flat().map(({ DocId }) => DocId))]);
