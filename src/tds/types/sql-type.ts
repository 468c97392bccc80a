import type { Bindable, Stored } from '../../base/stored.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Dialect } from '../version.ts';

/** The names of SQL Server's types that Granary knows. */
export type TypeName =
  | 'bigint' | 'int' | 'smallint' | 'tinyint' | 'bit'
  | 'decimal' | 'numeric' | 'money' | 'smallmoney' | 'float' | 'real'
  | 'datetime' | 'smalldatetime' | 'date' | 'time' | 'datetime2' | 'datetimeoffset'
  | 'char' | 'varchar' | 'text' | 'nchar' | 'nvarchar' | 'ntext'
  | 'binary' | 'varbinary' | 'image' | 'timestamp'
  | 'uniqueidentifier' | 'xml' | 'sql_variant';

/**
 * A SQL Server data type with its length, precision or scale: its T-SQL name, its TypeScript value, its bytes on the
 * wire in both directions, and how the databases underneath keep it. One file a type beside this one.
 */
export interface SqlType<Value = unknown> extends Stored<Value> {
  readonly name: TypeName;
  /** As T-SQL writes it: `nvarchar(128)`, `varbinary(max)`, `decimal(18,2)`. */
  readonly declaration: string;
  /** The greatest length in bytes, -1 for max types; what sys.types calls max_length. */
  readonly maxLength: number;
  readonly precision: number;
  readonly scale: number;
  /** Returns the value if it is one of this type; throws SqlError 8114, 8115, 220 or 8152 otherwise. */
  check(value: unknown): Value;
  /** Writes TYPE_INFO (MS-TDS 2.2.5.6): the type byte and its length, precision, scale and collation. */
  writeInfo(out: ByteWriter, dialect: Dialect): void;
  /** Writes a value, or NULL, as the TYPE_INFO announced. */
  write(out: ByteWriter, value: Value | null, dialect: Dialect): void;
  /** Reads a value that a client sent under this type. */
  read(bytes: ByteReader, dialect: Dialect): Value | null;
  /** What is bound in a statement to keep the value. */
  toStore(value: Value): Bindable;
}

/** Any type, where the value's type is of no interest. */
// biome-ignore lint/suspicious/noExplicitAny: a SqlType is invariant in its value; only `any` names "some type".
export type AnyType = SqlType<any>;

/** A value together with its type, as it comes in on the wire or stands in a T-SQL variable. */
export interface TypedValue {
  readonly type: AnyType;
  readonly value: unknown;
}
