import type { AnyType } from '../tds/types/sql-type.ts';
import { collation } from './names.ts';
import { typeFacts } from './type-facts.ts';

/** The collation of a type; NULL for one that is no text. */
export const collationOf = (type: AnyType): string | null =>
  typeFacts[type.name].family === 'text' ? (type.collation?.name ?? collation) : null;
