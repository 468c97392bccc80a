import type { AnyType } from './sql-type.ts';

/**
 * A type as a column that is never NULL travels: SQL Server sends the fixed types there (INT4 for int, say), and .NET's
 * SqlClient reads a column by its nullable flag, whatever type byte came. Types with one form only stay as they are.
 */
export function neverNull(type: AnyType): AnyType {
  const { fixed } = type;
  if (fixed === undefined) return type;
  return {
    ...type,
    lengthBytes: 0,
    writeInfo: (out) => out.u8(fixed.typeByte),
    write(out, value) {
      if (value === null) throw new Error(`a ${type.declaration} column that is never NULL was to be NULL`);
      fixed.write(out, value);
    },
    read: (bytes) => fixed.read(bytes),
  };
}
