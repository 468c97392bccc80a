import { mismatch } from './mismatch.ts';
import type { AnyType, SqlType } from './sql-type.ts';

/** The name of a table type; a client that calls a procedure may leave it out, and sends it empty. */
export interface TableTypeName {
  readonly name: string;
  readonly schema?: string;
  readonly database?: string;
}

/** The type of a table-valued parameter; what such a variable holds is the interpreter's business. */
export interface TableType extends SqlType<object> {
  readonly typeName: TableTypeName;
}

export const isTableType = (type: AnyType): type is TableType => type.name === 'table type';

const neverSent = (): never => {
  throw new Error('a table is no value of a column');
};

/** A table type by its name. */
export function tableType(typeName: TableTypeName): TableType {
  const { schema, name } = typeName;
  return {
    name: 'table type',
    declaration: schema ? `${schema}.${name}` : name,
    typeName,
    maxLength: -1,
    precision: 0,
    scale: 0,
    check(value) {
      if (typeof value !== 'object' || value === null) throw mismatch(value, 'table type');
      return value;
    },
    fromStore: neverSent,
    toStore: neverSent,
    writeInfo: neverSent,
    write: neverSent,
    read: neverSent,
  };
}
