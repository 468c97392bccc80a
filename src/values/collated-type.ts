import { sqlError } from '../base/messages/sql-error.ts';
import { collated, isCollatable } from '../tds/types/collated.ts';
import { type Collation, collationNamed } from '../tds/types/collation-name.ts';
import type { AnyType } from '../tds/types/sql-type.ts';

/** Names for the collation that the server has anyway. */
const own = new Set(['database_default', 'catalog_default']);

/**
 * A type under the collation of that name: 447 for what is no text, 448 for a name that is none, 459 for varchar under
 * one for Unicode.
 */
export function collatedType(type: AnyType, name: string, explicit: boolean): AnyType {
  if (!isCollatable(type)) throw sqlError(447, type.name);
  if (own.has(name.toLowerCase())) return type;
  const collation = collationNamed(name);
  if (collation === undefined) throw sqlError(448, name);
  if (collation.codePage === 0 && !type.name.startsWith('n')) throw sqlError(459, collation.name);
  return collated(type, explicit ? explicitly(collation) : collation);
}

const explicitly = (collation: Collation): Collation => ({ ...collation, explicit: true });
