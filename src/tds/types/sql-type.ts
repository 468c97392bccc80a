import type { Bindable, Stored } from '../../base/stored.ts';
import type { Steps } from '../../base/threads/steps.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Dialect } from '../version.ts';
import type { ByteStream } from './byte-stream.ts';
import type { Collation } from './collation-name.ts';

/** The names of SQL Server's types that Granary knows. */
export type TypeName =
  | 'bigint'
  | 'int'
  | 'smallint'
  | 'tinyint'
  | 'bit'
  | 'decimal'
  | 'numeric'
  | 'money'
  | 'smallmoney'
  | 'float'
  | 'real'
  | 'datetime'
  | 'smalldatetime'
  | 'date'
  | 'time'
  | 'datetime2'
  | 'datetimeoffset'
  | 'char'
  | 'varchar'
  | 'text'
  | 'nchar'
  | 'nvarchar'
  | 'ntext'
  | 'binary'
  | 'varbinary'
  | 'image'
  | 'timestamp'
  | 'uniqueidentifier'
  | 'xml'
  | 'sql_variant'
  | 'table type';

/** The encoding of a value inside a sql_variant, where no length precedes it (MS-TDS 2.2.5.5.4). */
export interface VariantForm<Value> {
  readonly typeByte: number;
  /** Collation, maximum length, precision, scale: as many bytes as the type has properties. */
  readonly properties: Uint8Array;
  write(out: ByteWriter, value: Value): void;
  read(bytes: ByteReader, length: number): Value;
}

/** A fixed-length form of a type whose values are never NULL (FIXEDLENTYPE, MS-TDS 2.2.5.4.2). */
export interface FixedForm<Value> {
  readonly typeByte: number;
  /** The value for columns without one: those of a deleted row, or the rest of a row that failed half-way. */
  readonly zero: Value;
  write(out: ByteWriter, value: Value): void;
  read(bytes: ByteReader): Value;
}

/**
 * A SQL Server data type with its length, precision or scale: its T-SQL name, its TypeScript value, its encoding on the
 * wire in both directions, and its storage in the engines. Each type has a file of its own.
 */
export interface SqlType<Value = unknown> extends Stored<Value> {
  readonly name: TypeName;
  /** As T-SQL writes it: `nvarchar(128)`, `varbinary(max)`, `decimal(18,2)`. */
  readonly declaration: string;
  /** The maximum length in bytes, -1 for max types; max_length in sys.types. */
  readonly maxLength: number;
  readonly precision: number;
  readonly scale: number;
  /** Returns the value if it is one of this type; throws SqlError 8114, 8115, 220 or 8152 otherwise. */
  check(value: unknown): Value;
  /** Writes TYPE_INFO (MS-TDS 2.2.5.6): the type byte and its length, precision, scale and collation. */
  writeInfo(out: ByteWriter, dialect: Dialect): void;
  /** Writes a value, or NULL, into a row, as the TYPE_INFO announced. */
  write(out: ByteWriter, value: Value | null, dialect: Dialect): void;
  /** Present if a value may be long: the same as `write`, in steps between which the output so far may be sent. */
  writeSteps?(out: ByteWriter, value: Value, dialect: Dialect): Steps<void>;
  /** Reads a value that a client sent with this type. */
  read(bytes: ByteReader, dialect: Dialect): Value | null;
  /** Present if a value is read in steps instead: a table, which may have many rows. */
  readSteps?(bytes: ByteReader, dialect: Dialect): Steps<Value>;
  /**
   * The size of the length that precedes a value in a row, 0 if all have the same length; absent if a value consists of
   * more than length and bytes.
   */
  readonly lengthBytes?: 0 | 1 | 2;
  /** The value as it is bound in a statement that stores it. */
  toStore(value: Value): Bindable;
  /** Absent for types that a sql_variant cannot hold. */
  readonly variant?: VariantForm<Value>;
  /** Present if a column that is never NULL has a form of its own, without a length before each value. */
  readonly fixed?: FixedForm<Value>;
  /** Present for text under a collation other than the server's. */
  readonly collation?: Collation;
  /** The UserType of COLMETADATA; absent means 0. */
  readonly userType?: number;
  /**
   * Present if a value is encoded differently in a row and in a parameter: text, ntext and image (and types sent as one
   * of them to an old client) follow a text pointer in a row, and COLMETADATA names their table (MS-TDS 2.2.7.4,
   * 2.2.7.20).
   */
  readonly long?: LongForm<Value>;
  /** Present if a client before 7.3 gets text instead: date, time, datetime2, datetimeoffset. */
  asText?(value: Value): string;
  /** Present if `write` only writes what precedes the value, and the value follows in pieces. */
  pieces?(value: Value): ByteStream;
}

/** The additional parts of a type that is sent as text, ntext or image. */
export interface LongForm<Value> {
  /** Whether it is sent that way to a client of this dialect. */
  applies(dialect: Dialect): boolean;
  readRow(bytes: ByteReader, dialect: Dialect): Value | null;
  writeParam(out: ByteWriter, value: Value | null, dialect: Dialect): void;
}

/** Any type, where the type of its values does not matter. */
// biome-ignore lint/suspicious/noExplicitAny: a SqlType is invariant in its value; only `any` names "some type".
export type AnyType = SqlType<any>;

/** A value with its type, as received from a client or stored in a T-SQL variable. */
export interface TypedValue {
  readonly type: AnyType;
  readonly value: unknown;
}
