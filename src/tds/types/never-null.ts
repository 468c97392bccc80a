import type { AnyType } from './sql-type.ts';

/**
 * A type in the form used for a column that is never NULL: SQL Server sends the fixed-length types there (such as INT4
 * for int), and .NET's SqlClient reads a column by its nullable flag, whatever the type byte. Types with only one form
 * are unchanged.
 */
export function neverNull(type: AnyType): AnyType {
  const { fixed } = type;
  if (fixed === undefined) return type;
  return {
    ...type,
    lengthBytes: 0,
    writeInfo: (out) => out.u8(fixed.typeByte),
    write(out, value) {
      if (value === null) throw new Error(`a ${type.declaration} column that is never NULL has the value NULL`);
      fixed.write(out, value);
    },
    read: (bytes) => fixed.read(bytes),
  };
}
