import type { Steps } from '../../base/steps.ts';
import type { Bindable, Stored } from '../../base/stored.ts';
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
  | 'sql_variant';

/** How a value stands inside a sql_variant, where no length comes before it (MS-TDS 2.2.5.5.4). */
export interface VariantForm<Value> {
  readonly typeByte: number;
  /** Collation, greatest length, precision, scale: as many bytes as the type has properties. */
  readonly properties: Uint8Array;
  write(out: ByteWriter, value: Value): void;
  read(bytes: ByteReader, length: number): Value;
}

/** A type whose values are never NULL and always as long (FIXEDLENTYPE, MS-TDS 2.2.5.4.2). */
export interface FixedForm<Value> {
  readonly typeByte: number;
  /** What stands where a row has nothing to say: a row that is gone, the rest of a row that failed half-way. */
  readonly zero: Value;
  write(out: ByteWriter, value: Value): void;
  read(bytes: ByteReader): Value;
}

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
  /** Writes a value, or NULL, into a row, as the TYPE_INFO announced. */
  write(out: ByteWriter, value: Value | null, dialect: Dialect): void;
  /** Present where a value may be long: what `write` does, in steps between which what is written so far may be sent. */
  writeSteps?(out: ByteWriter, value: Value, dialect: Dialect): Steps<void>;
  /** Reads a value that a client sent under this type. */
  read(bytes: ByteReader, dialect: Dialect): Value | null;
  /**
   * Bytes of length that stand before the bytes of a value in a row, 0 where all are as long; absent where a value is more
   * than those.
   */
  readonly lengthBytes?: 0 | 1 | 2;
  /** What is bound in a statement to keep the value. */
  toStore(value: Value): Bindable;
  /** Absent for the types that a sql_variant cannot hold. */
  readonly variant?: VariantForm<Value>;
  /** Present where a column that is never NULL has a form of its own, without a length before each value. */
  readonly fixed?: FixedForm<Value>;
  /** Present for text under a collation other than the server's own. */
  readonly collation?: Collation;
  /** The UserType of COLMETADATA; absent means 0. */
  readonly userType?: number;
  /**
   * Present where a row differs from a parameter: text, ntext and image (and what stands in as one of them for an old
   * client) follow a text pointer in a row, and COLMETADATA names their table (MS-TDS 2.2.7.4, 2.2.7.20).
   */
  readonly long?: LongForm<Value>;
  /** Present where a client before 7.3 gets text instead: date, time, datetime2, datetimeoffset. */
  asText?(value: Value): string;
  /** Present where `write` writes only what stands before the value, and the value follows in pieces. */
  pieces?(value: Value): ByteStream;
}

/** What a type needs besides when it travels as text, ntext or image. */
export interface LongForm<Value> {
  /** Whether it does so for a client of this dialect. */
  applies(dialect: Dialect): boolean;
  readRow(bytes: ByteReader, dialect: Dialect): Value | null;
  writeParam(out: ByteWriter, value: Value | null, dialect: Dialect): void;
}

/** Any type, where the value's type is of no interest. */
// biome-ignore lint/suspicious/noExplicitAny: a SqlType is invariant in its value; only `any` names "some type".
export type AnyType = SqlType<any>;

/** A value together with its type, as it comes in on the wire or stands in a T-SQL variable. */
export interface TypedValue {
  readonly type: AnyType;
  readonly value: unknown;
}
