import { ownPart } from '../base/text/own-part.ts';
import type { AnyType } from '../tds/types/sql-type.ts';

/**
 * Whether a new column stores its values without trailing blanks or zero bytes: the effect of ANSI_PADDING OFF on
 * varchar and varbinary, and on char and binary that allow NULL. Unicode text is always stored unchanged.
 */
export function isUnpadded(
  { name, maxLength }: AnyType,
  nullable: boolean,
  { ansiPadding }: { readonly ansiPadding: boolean },
): boolean {
  if (ansiPadding || maxLength < 0) return false;
  if (name === 'char' || name === 'binary') return nullable;
  return name === 'varchar' || name === 'varbinary';
}

/** A value as such a column keeps it; of one that is nothing but padding the first blank or byte is left. */
export function withoutPadding(value: unknown): unknown {
  if (typeof value === 'string')
    return ownPart(
      value,
      0,
      keptLength(value.length, (at) => value[at] === ' '),
    );
  if (value instanceof Uint8Array)
    return value.subarray(
      0,
      keptLength(value.length, (at) => value[at] === 0),
    );
  return value;
}

function keptLength(length: number, isPadding: (at: number) => boolean): number {
  let kept = length;
  while (kept > 1 && isPadding(kept - 1)) kept--;
  return kept;
}
