import type { SqlType } from './sql-type.ts';
import { nvarchar } from './unicode-text.ts';

/** The same type, sent as nvarchar text to a client before 7.3, which does not know it. */
export function textBefore73<Value>(
  type: SqlType<Value>,
  width: number,
  asText: (value: Value) => string,
): SqlType<Value> {
  const standIn = nvarchar(width);
  return {
    ...type,
    asText,
    writeInfo: (out, dialect) => (dialect.atLeast73 ? type : standIn).writeInfo(out, dialect),
    write(out, value, dialect) {
      if (dialect.atLeast73) return type.write(out, value, dialect);
      standIn.write(out, value === null ? null : asText(value), dialect);
    },
  };
}
