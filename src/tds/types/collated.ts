import { inCodePage } from './code-page-text.ts';
import type { Collation } from './collation-name.ts';
import type { AnyType } from './sql-type.ts';

/** The names of types that have a collation. */
const texts: ReadonlySet<string> = new Set(['char', 'varchar', 'text', 'nchar', 'nvarchar', 'ntext']);

export const isCollatable = (type: AnyType): boolean => texts.has(type.name);

/**
 * A text type with another collation, which is sent to clients; char and varchar then hold the characters of its code
 * page.
 */
export function collated(type: AnyType, collation: Collation): AnyType {
  const base: AnyType = type.name.startsWith('n') ? type : inCodePage(type, collation.page);
  return {
    ...base,
    collation,
    writeInfo(out, dialect) {
      base.writeInfo(out, dialect);
      if (!dialect.atLeast71) return;
      // The collation is the last part of a text type's TYPE_INFO.
      out.truncate(out.length - collation.bytes.length);
      out.bytes(collation.bytes);
    },
  };
}
